import { html, type Html } from '../html.ts'

export const en = {
  yourPractice: 'your practice',
  close: 'You can close this page.',
  continue: 'Continue',
  backTo: (practice: string) => `Back to ${practice}`,
  backToSoftware: 'Back to your practice software',
  labelled: (name: string, value: string) => `${name}: ${value}`,
  facts: {
    practice: 'Practice',
    amount: 'Amount',
    refunded: 'Refunded',
    reference: 'Reference',
    paidAt: 'Paid',
    country: 'Country',
    currency: 'Payout currency',
    email: 'Email',
    statement: 'On card statements',
    payouts: 'Payouts to',
  },

  /** The outcome of a payment, for the person who pays. */
  outcome: {
    paid: {
      heading: 'Payment received',
      text: (amount: Html, practice: Html) => html`Thank you. You paid ${amount} to ${practice}.`,
      next: 'The practice has been told. There is nothing more to do.',
    },
    processing: {
      heading: 'Your payment is on its way',
      text: (amount: Html, practice: Html) => html`Your bank has been asked to pay ${amount} to ${practice}.`,
      next: 'This can take a few days. The practice is told as soon as the money arrives, so please do not pay again.',
    },
    open: {
      heading: 'We are waiting for your payment',
      text: (amount: Html, practice: Html) => html`The payment of ${amount} to ${practice} has not been confirmed yet.`,
      next: 'If you have just paid, this can take a minute: reload this page before you pay again.',
    },
    failed: {
      heading: 'The payment did not go through',
      text: (amount: Html, practice: Html) =>
        html`Your bank could not collect ${amount} for ${practice}, and you have not been charged.`,
      next: (practice: string) => `Please contact ${practice} for another way to pay.`,
    },
    cancelled: {
      heading: 'This payment was cancelled',
      text: (amount: Html, practice: Html) => html`You have not been charged the ${amount} for ${practice}.`,
      next: 'If you still need to pay, please ask the practice for a new link.',
    },
    refunded: {
      heading: 'Your payment was refunded',
      text: (amount: Html, practice: Html) => html`The ${amount} that you paid to ${practice} goes back to you.`,
      next: 'It can take up to ten days until you see the money in your account.',
    },
    partlyRefunded: {
      heading: 'A part of your payment was refunded',
      text: (refunded: Html, amount: Html, practice: Html) =>
        html`${refunded} of the ${amount} that you paid to ${practice} goes back to you.`,
      next: 'It can take up to ten days until you see the money in your account.',
    },
    disputed: {
      heading: 'This payment is disputed',
      text: (amount: Html, practice: Html) => html`Your bank is looking into your payment of ${amount} to ${practice}.`,
      next: 'Your bank tells you its decision. The practice can tell you more about the payment.',
    },
    chargedBack: {
      heading: 'Your bank has reversed this payment',
      text: (amount: Html, practice: Html) =>
        html`Your bank has decided that the ${amount} that you paid to ${practice} goes back to you.`,
      next: 'If you have questions about the payment, please contact the practice.',
    },
    /** Of a payment whose details cannot be shown. */
    unknown: {
      heading: 'Thank you',
      text: 'Your payment is on its way to the practice, which will confirm it to you.',
    },
    missing: {
      heading: 'We could not find this payment',
      text: 'The address may be incomplete or mistyped. Your practice can tell you what has become of your payment.',
    },
  },

  /** The outcome of a practice's onboarding. */
  onboarded: {
    done: {
      heading: 'Your practice can take payments',
      text: 'The payment provider has everything that it needs. There is nothing more to do.',
    },
    checking: {
      heading: 'Your details are being checked',
      text: 'The payment provider has your details. It may take a while to check them: your practice software shows when you can take payments.',
    },
    unfinished: {
      heading: 'You have not finished yet',
      text: 'What you have entered is not lost. You cannot take payments until you finish, now or later with the same link.',
      next: 'Continue setting up',
    },
    restricted: {
      heading: 'The payment provider needs more details',
      text: 'Something is missing, and until the provider has it, payments or payouts to you may be held back.',
      next: 'See what is missing',
    },
    rejected: {
      heading: 'This account cannot take payments',
      text: 'The payment provider has looked at your details and refused the account. That cannot be changed here: please contact the vendor of your practice software.',
    },
    disabled: {
      heading: 'This account is switched off',
      text: 'The payment provider has switched the account off, or you have withdrawn access to it. Please start again in your practice software.',
    },
    unknown: {
      heading: 'Thank you',
      text: 'The payment provider has your details. It may take a while to check them. Your practice software shows when you can take payments.',
    },
  },

  /** An onboarding link that leads nowhere. */
  link: {
    invalid: {
      heading: 'This link no longer works',
      text: 'Onboarding links work for seven days or until the account is closed. This one has expired, or a part of it is missing.',
      next: 'Please ask the person who sent it for a new one. What you entered before is not lost.',
    },
    away: {
      heading: 'We cannot take you there right now',
      text: 'The payment provider cannot be reached at the moment.',
      next: 'Please open the same link again in a few minutes.',
    },
    tooOften: {
      heading: 'This link was opened too often',
      text: 'A link can be opened a few times a minute.',
      next: 'Please open the same link again in a minute.',
    },
  },

  /** The sandbox: a checkout. */
  checkout: {
    back: 'Back',
    backDetail: (practice: string) => ` to ${practice} without paying`,
    paymentTo: 'Payment to',
    total: 'Total',
    totalToPay: 'Total to pay:',
    items: 'What you are paying for',
    quantity: (quantity: number, each: string) => `Quantity ${quantity}, ${each} each`,
    payByCard: 'Pay by card',
    declined: 'Your card was declined.',
    noFunds: 'Your card has insufficient funds.',
    notCharged: 'You have not been charged. You can try again.',
    notChargedOrBack: 'You have not been charged. You can try again or go back to the practice.',
    testCard: 'Test card',
    testCardLabel: 'Test card, Visa ending in 4242, expires 12/34',
    validTo: 'Valid to 12/34',
    hint: 'This card is filled in for you. It belongs to nobody, and nothing is taken from any account.',
    pay: (amount: string) => `Pay ${amount}`,
    decline: 'Decline this card',
    other: 'Try another outcome',
    otherHint: 'For people who test: what else can happen to a payment.',
    noMoney: 'Card without enough money',
    bankDebit: 'Bank debit, confirmed later',
    openUntil: (time: string) => `This page is open until ${time}.`,
    bank: 'Decide for the bank',
    bankHint: 'For people who test: end the waiting.',
    bankPays: 'The money arrives',
    bankRefuses: 'The bank refuses',
    title: (amount: string, practice: string) => `Pay ${amount} to ${practice}`,
    declinedTitle: 'Payment declined.',
    closed: {
      heading: 'This payment page is no longer open',
      text: 'You have not been charged.',
      next: (practice: Html) => html`If you still need to pay, please ask ${practice} for a new link.`,
    },
    missing: {
      heading: 'We could not find this payment page',
      text: 'The link may be incomplete or mistyped. Please open it again from the message you received, or ask your practice for a new one.',
    },
  },

  /** The sandbox: onboarding. */
  setup: {
    heading: (practice: string) => `Set up payments for ${practice}`,
    lead: (practice: string) =>
      `Check the details below. Once they are confirmed, patients can pay ${practice} online.`,
    bankAccount: 'Test bank account ending in 6789',
    details: 'Practice details',
    check: 'Please check the form',
    name: 'Practice name',
    phone: 'Phone for patients',
    website: 'Website',
    optional: 'optional',
    confirmed: 'These details are right, and I may act for this practice.',
    finish: 'Confirm and finish',
    later: 'Finish later',
    other: 'Try another outcome',
    otherHint: 'For people who test: what else a review can come to.',
    restrict: 'Payments on, payouts held',
    reject: 'Account rejected',
    errors: {
      name: 'Enter the name of your practice.',
      nameLength: 'The name can have at most 200 characters.',
      phone: 'Enter a phone number in digits, such as +64 9 555 0100.',
      website: 'Enter the full address, such as https://practice.example.',
      confirmed: 'Confirm that the details are right.',
    },
    missing: {
      heading: 'We could not find this setup page',
      text: 'The link may be incomplete. Please open it again from your practice software.',
    },
  },

  /** Around every page of the sandbox. */
  sandbox: {
    name: 'Sandbox:',
    note: 'no real money moves.',
    foot: 'Frontdesk sandbox, a stand-in for the payment provider during development.',
  },
}
