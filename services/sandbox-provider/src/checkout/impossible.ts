/** The checkout is past what was asked of it. The message is for the one who asked. */
export class ImpossibleCheckout extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ImpossibleCheckout'
  }
}
