import { html } from '../html.ts'
import type { Texts } from './index.ts'

export const de: Texts = {
  yourPractice: 'Ihre Praxis',
  close: 'Sie können diese Seite schließen.',
  continue: 'Weiter',
  backTo: (practice) => `Zurück zu ${practice}`,
  backToSoftware: 'Zurück zu Ihrer Praxissoftware',
  labelled: (name, value) => `${name}: ${value}`,
  facts: {
    practice: 'Praxis',
    amount: 'Betrag',
    refunded: 'Erstattet',
    reference: 'Referenz',
    paidAt: 'Bezahlt',
    country: 'Land',
    currency: 'Währung der Auszahlungen',
    email: 'E-Mail',
    statement: 'Auf Kartenabrechnungen',
    payouts: 'Auszahlung an',
  },

  outcome: {
    paid: {
      heading: 'Zahlung erhalten',
      text: (amount, practice) => html`Vielen Dank. Sie haben ${amount} an ${practice} bezahlt.`,
      next: 'Die Praxis wurde informiert. Sie müssen nichts weiter tun.',
    },
    processing: {
      heading: 'Ihre Zahlung ist unterwegs',
      text: (amount, practice) => html`Ihre Bank wurde gebeten, ${amount} für ${practice} abzubuchen.`,
      next: 'Das kann einige Tage dauern. Die Praxis erfährt es, sobald das Geld eingeht. Bitte bezahlen Sie nicht noch einmal.',
    },
    open: {
      heading: 'Wir warten auf Ihre Zahlung',
      text: (amount, practice) => html`Die Zahlung von ${amount} an ${practice} ist noch nicht bestätigt.`,
      next: 'Wenn Sie gerade bezahlt haben, kann das eine Minute dauern: Laden Sie diese Seite neu, bevor Sie noch einmal bezahlen.',
    },
    failed: {
      heading: 'Die Zahlung ist fehlgeschlagen',
      text: (amount, practice) =>
        html`Ihre Bank konnte ${amount} für ${practice} nicht einziehen. Ihnen wurde nichts berechnet.`,
      next: (practice) => `Bitte fragen Sie nach einem anderen Zahlungsweg: ${practice}.`,
    },
    cancelled: {
      heading: 'Diese Zahlung wurde abgebrochen',
      text: (amount, practice) => html`Die ${amount} für ${practice} wurden Ihnen nicht berechnet.`,
      next: 'Wenn Sie noch bezahlen müssen, bitten Sie die Praxis um einen neuen Link.',
    },
    refunded: {
      heading: 'Ihre Zahlung wurde erstattet',
      text: (amount, practice) => html`Sie bekommen die ${amount} zurück, die Sie an ${practice} bezahlt haben.`,
      next: 'Es kann bis zu zehn Tage dauern, bis das Geld auf Ihrem Konto ist.',
    },
    partlyRefunded: {
      heading: 'Ihre Zahlung wurde teilweise erstattet',
      text: (refunded, amount, practice) =>
        html`Von den ${amount}, die Sie an ${practice} bezahlt haben, bekommen Sie ${refunded} zurück.`,
      next: 'Es kann bis zu zehn Tage dauern, bis das Geld auf Ihrem Konto ist.',
    },
    disputed: {
      heading: 'Diese Zahlung wird geprüft',
      text: (amount, practice) => html`Ihre Bank prüft Ihre Zahlung von ${amount} an ${practice}.`,
      next: 'Ihre Bank teilt Ihnen die Entscheidung mit. Die Praxis kann Ihnen mehr zu der Zahlung sagen.',
    },
    chargedBack: {
      heading: 'Ihre Bank hat diese Zahlung zurückgebucht',
      text: (amount, practice) =>
        html`Ihre Bank hat entschieden, dass Sie die an ${practice} bezahlten ${amount} zurückbekommen.`,
      next: 'Wenn Sie Fragen zu der Zahlung haben, wenden Sie sich bitte an die Praxis.',
    },
    unknown: {
      heading: 'Vielen Dank',
      text: 'Ihre Zahlung ist unterwegs zur Praxis. Sie erhalten von dort eine Bestätigung.',
    },
    missing: {
      heading: 'Wir haben diese Zahlung nicht gefunden',
      text: 'Vielleicht ist die Adresse unvollständig oder falsch geschrieben. Ihre Praxis kann Ihnen sagen, was aus Ihrer Zahlung geworden ist.',
    },
  },

  onboarded: {
    done: {
      heading: 'Ihre Praxis kann Zahlungen annehmen',
      text: 'Der Zahlungsanbieter hat alle Angaben, die er braucht. Sie müssen nichts weiter tun.',
    },
    checking: {
      heading: 'Ihre Angaben werden geprüft',
      text: 'Der Zahlungsanbieter hat Ihre Angaben. Die Prüfung kann eine Weile dauern: Ihre Praxissoftware zeigt, wann Sie Zahlungen annehmen können.',
    },
    unfinished: {
      heading: 'Sie sind noch nicht fertig',
      text: 'Was Sie eingegeben haben, geht nicht verloren. Zahlungen annehmen können Sie erst, wenn Sie fertig sind: jetzt oder später mit demselben Link.',
      next: 'Fortsetzen',
    },
    restricted: {
      heading: 'Der Zahlungsanbieter braucht weitere Angaben',
      text: 'Es fehlt noch etwas. Bis der Anbieter es hat, können Zahlungen oder Auszahlungen an Sie zurückgehalten werden.',
      next: 'Ansehen, was fehlt',
    },
    rejected: {
      heading: 'Dieses Konto kann keine Zahlungen annehmen',
      text: 'Der Zahlungsanbieter hat Ihre Angaben geprüft und das Konto abgelehnt. Das lässt sich hier nicht ändern: Bitte wenden Sie sich an den Hersteller Ihrer Praxissoftware.',
    },
    disabled: {
      heading: 'Dieses Konto ist abgeschaltet',
      text: 'Der Zahlungsanbieter hat das Konto abgeschaltet, oder Sie haben den Zugriff darauf zurückgezogen. Bitte beginnen Sie in Ihrer Praxissoftware von vorn.',
    },
    unknown: {
      heading: 'Vielen Dank',
      text: 'Der Zahlungsanbieter hat Ihre Angaben. Die Prüfung kann eine Weile dauern. Ihre Praxissoftware zeigt, wann Sie Zahlungen annehmen können.',
    },
  },

  link: {
    invalid: {
      heading: 'Dieser Link funktioniert nicht mehr',
      text: 'Links zur Einrichtung gelten sieben Tage oder bis das Konto geschlossen wird. Dieser ist abgelaufen, oder ein Teil davon fehlt.',
      next: 'Bitte fragen Sie nach einem neuen, wer ihn Ihnen geschickt hat. Was Sie eingegeben haben, geht nicht verloren.',
    },
    away: {
      heading: 'Wir können Sie gerade nicht weiterleiten',
      text: 'Der Zahlungsanbieter ist im Moment nicht erreichbar.',
      next: 'Bitte öffnen Sie denselben Link in einigen Minuten noch einmal.',
    },
    tooOften: {
      heading: 'Dieser Link wurde zu oft geöffnet',
      text: 'Ein Link kann einige Male in der Minute geöffnet werden.',
      next: 'Bitte öffnen Sie denselben Link in einer Minute noch einmal.',
    },
  },

  checkout: {
    back: 'Zurück',
    backDetail: (practice) => ` zu ${practice}, ohne zu bezahlen`,
    paymentTo: 'Zahlung an',
    total: 'Summe',
    totalToPay: 'Zu zahlen:',
    items: 'Wofür Sie bezahlen',
    quantity: (quantity, each) => `Menge ${quantity}, je ${each}`,
    payByCard: 'Mit Karte bezahlen',
    declined: 'Ihre Karte wurde abgelehnt.',
    noFunds: 'Ihre Karte ist nicht gedeckt.',
    notCharged: 'Ihnen wurde nichts berechnet. Sie können es noch einmal versuchen.',
    notChargedOrBack: 'Ihnen wurde nichts berechnet. Sie können es noch einmal versuchen oder zur Praxis zurückkehren.',
    testCard: 'Testkarte',
    testCardLabel: 'Testkarte, Visa mit den Endziffern 4242, gültig bis 12/34',
    validTo: 'Gültig bis 12/34',
    hint: 'Diese Karte ist schon eingetragen. Sie gehört niemandem, und von keinem Konto wird etwas abgebucht.',
    pay: (amount) => `${amount} bezahlen`,
    decline: 'Diese Karte ablehnen',
    other: 'Anderen Ausgang probieren',
    otherHint: 'Zum Testen: was sonst mit einer Zahlung geschehen kann.',
    noMoney: 'Karte ohne Deckung',
    bankDebit: 'Lastschrift, später bestätigt',
    openUntil: (time) => `Diese Seite ist offen bis ${time}.`,
    bank: 'Für die Bank entscheiden',
    bankHint: 'Zum Testen: das Warten beenden.',
    bankPays: 'Das Geld geht ein',
    bankRefuses: 'Die Bank lehnt ab',
    title: (amount, practice) => `${amount} an ${practice} bezahlen`,
    declinedTitle: 'Zahlung abgelehnt.',
    closed: {
      heading: 'Diese Zahlungsseite ist nicht mehr offen',
      text: 'Ihnen wurde nichts berechnet.',
      next: (practice) => html`Wenn Sie noch bezahlen müssen, fragen Sie nach einem neuen Link: ${practice}.`,
    },
    missing: {
      heading: 'Wir haben diese Zahlungsseite nicht gefunden',
      text: 'Vielleicht ist der Link unvollständig oder falsch geschrieben. Bitte öffnen Sie ihn noch einmal aus der Nachricht, die Sie erhalten haben, oder bitten Sie Ihre Praxis um einen neuen.',
    },
  },

  setup: {
    heading: (practice) => `Zahlungen einrichten für ${practice}`,
    lead: (practice) => `Prüfen Sie die Angaben. Sobald sie bestätigt sind, kann man online an ${practice} bezahlen.`,
    bankAccount: 'Testkonto mit den Endziffern 6789',
    details: 'Angaben zur Praxis',
    check: 'Bitte prüfen Sie das Formular',
    name: 'Name der Praxis',
    phone: 'Telefon für Patienten',
    website: 'Website',
    optional: 'freiwillig',
    confirmed: 'Diese Angaben sind richtig, und ich darf für diese Praxis handeln.',
    finish: 'Bestätigen und abschließen',
    later: 'Später abschließen',
    other: 'Anderen Ausgang probieren',
    otherHint: 'Zum Testen: wie eine Prüfung sonst ausgehen kann.',
    restrict: 'Zahlungen erlaubt, Auszahlungen zurückgehalten',
    reject: 'Konto abgelehnt',
    errors: {
      name: 'Geben Sie den Namen Ihrer Praxis ein.',
      nameLength: 'Der Name darf höchstens 200 Zeichen haben.',
      phone: 'Geben Sie eine Telefonnummer in Ziffern ein, zum Beispiel +49 30 555 0100.',
      website: 'Geben Sie die vollständige Adresse ein, zum Beispiel https://praxis.example.',
      confirmed: 'Bestätigen Sie, dass die Angaben richtig sind.',
    },
    missing: {
      heading: 'Wir haben diese Einrichtungsseite nicht gefunden',
      text: 'Vielleicht ist der Link unvollständig. Bitte öffnen Sie ihn noch einmal aus Ihrer Praxissoftware.',
    },
  },

  sandbox: {
    name: 'Sandbox:',
    note: 'Hier fließt kein echtes Geld.',
    foot: 'Frontdesk-Sandbox: steht während der Entwicklung für den Zahlungsanbieter.',
  },
}
