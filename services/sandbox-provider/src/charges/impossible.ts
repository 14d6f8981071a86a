/** Thrown if the checkout's state does not allow a command. The message is for the client. */
export class ImpossibleCheckout extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ImpossibleCheckout'
  }
}

/** Thrown if a charge cannot be refunded. The message, code and parameter are Stripe's. */
export class ImpossibleRefund extends ImpossibleCheckout {
  readonly code: string | undefined
  readonly param: string | undefined

  constructor(message: string, { code, param }: { code?: string; param?: string }) {
    super(message)
    this.name = 'ImpossibleRefund'
    this.code = code
    this.param = param
  }
}
