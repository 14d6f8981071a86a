/** Thrown if the checkout's state does not allow a command. The message is for the client. */
export class ImpossibleCheckout extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ImpossibleCheckout'
  }
}
