import { html } from '../html.ts'
import type { Texts } from './index.ts'

export const nl: Texts = {
  yourPractice: 'uw praktijk',
  close: 'U kunt deze pagina sluiten.',
  continue: 'Verder',
  backTo: (practice) => `Terug naar ${practice}`,
  backToSoftware: 'Terug naar uw praktijksoftware',
  labelled: (name, value) => `${name}: ${value}`,
  facts: {
    practice: 'Praktijk',
    amount: 'Bedrag',
    refunded: 'Terugbetaald',
    reference: 'Referentie',
    paidAt: 'Betaald',
    country: 'Land',
    currency: 'Valuta van uitbetalingen',
    email: 'E-mail',
    statement: 'Op kaartafschriften',
    payouts: 'Uitbetaling op',
  },

  outcome: {
    paid: {
      heading: 'Betaling ontvangen',
      text: (amount, practice) => html`Bedankt. U hebt ${amount} betaald aan ${practice}.`,
      next: 'De praktijk heeft bericht gekregen. U hoeft niets meer te doen.',
    },
    processing: {
      heading: 'Uw betaling is onderweg',
      text: (amount, practice) => html`Uw bank is gevraagd ${amount} af te schrijven voor ${practice}.`,
      next: 'Dit kan een paar dagen duren. De praktijk krijgt bericht zodra het geld binnen is. Betaal dus niet nog een keer.',
    },
    open: {
      heading: 'We wachten op uw betaling',
      text: (amount, practice) => html`De betaling van ${amount} aan ${practice} is nog niet bevestigd.`,
      next: 'Hebt u net betaald, dan kan het een minuut duren: laad deze pagina opnieuw voordat u nog een keer betaalt.',
    },
    failed: {
      heading: 'De betaling is niet gelukt',
      text: (amount, practice) =>
        html`Uw bank kon ${amount} voor ${practice} niet innen. Er is niets van uw rekening afgeschreven.`,
      next: (practice) => `Neem contact op met ${practice} om anders te betalen.`,
    },
    cancelled: {
      heading: 'Deze betaling is geannuleerd',
      text: (amount, practice) => html`Het bedrag van ${amount} voor ${practice} is niet van uw rekening afgeschreven.`,
      next: 'Moet u nog betalen, vraag de praktijk dan om een nieuwe link.',
    },
    refunded: {
      heading: 'Uw betaling is terugbetaald',
      text: (amount, practice) => html`U krijgt het bedrag van ${amount} terug dat u aan ${practice} hebt betaald.`,
      next: 'Het kan tot tien dagen duren voordat u het geld op uw rekening ziet.',
    },
    partlyRefunded: {
      heading: 'Een deel van uw betaling is terugbetaald',
      text: (refunded, amount, practice) =>
        html`U krijgt ${refunded} terug van de ${amount} die u aan ${practice} hebt betaald.`,
      next: 'Het kan tot tien dagen duren voordat u het geld op uw rekening ziet.',
    },
    disputed: {
      heading: 'Deze betaling wordt betwist',
      text: (amount, practice) => html`Uw bank onderzoekt uw betaling van ${amount} aan ${practice}.`,
      next: 'Uw bank laat u de beslissing weten. De praktijk kan u meer over de betaling vertellen.',
    },
    chargedBack: {
      heading: 'Uw bank heeft deze betaling teruggedraaid',
      text: (amount, practice) =>
        html`Uw bank heeft beslist dat u het aan ${practice} betaalde bedrag van ${amount} terugkrijgt.`,
      next: 'Hebt u vragen over de betaling, neem dan contact op met de praktijk.',
    },
    unknown: {
      heading: 'Bedankt',
      text: 'Uw betaling is onderweg naar de praktijk. U krijgt daarvan een bevestiging.',
    },
    missing: {
      heading: 'We hebben deze betaling niet gevonden',
      text: 'Misschien is het adres onvolledig of verkeerd getypt. Uw praktijk kan u vertellen wat er met uw betaling is gebeurd.',
    },
  },

  onboarded: {
    done: {
      heading: 'Uw praktijk kan betalingen ontvangen',
      text: 'De betaalprovider heeft alles wat nodig is. U hoeft niets meer te doen.',
    },
    checking: {
      heading: 'Uw gegevens worden gecontroleerd',
      text: 'De betaalprovider heeft uw gegevens. De controle kan even duren: uw praktijksoftware laat zien wanneer u betalingen kunt ontvangen.',
    },
    unfinished: {
      heading: 'U bent nog niet klaar',
      text: 'Wat u hebt ingevuld, gaat niet verloren. U kunt pas betalingen ontvangen als u klaar bent, nu of later met dezelfde link.',
      next: 'Doorgaan',
    },
    restricted: {
      heading: 'De betaalprovider heeft meer gegevens nodig',
      text: 'Er ontbreekt nog iets. Zolang dat zo is, kunnen betalingen of uitbetalingen aan u worden vastgehouden.',
      next: 'Bekijk wat er ontbreekt',
    },
    rejected: {
      heading: 'Dit account kan geen betalingen ontvangen',
      text: 'De betaalprovider heeft uw gegevens bekeken en het account geweigerd. Dat kunt u hier niet wijzigen: neem contact op met de leverancier van uw praktijksoftware.',
    },
    disabled: {
      heading: 'Dit account is uitgeschakeld',
      text: 'De betaalprovider heeft het account uitgeschakeld, of u hebt de toegang ertoe ingetrokken. Begin opnieuw in uw praktijksoftware.',
    },
    unknown: {
      heading: 'Bedankt',
      text: 'De betaalprovider heeft uw gegevens. De controle kan even duren. Uw praktijksoftware laat zien wanneer u betalingen kunt ontvangen.',
    },
  },

  link: {
    invalid: {
      heading: 'Deze link werkt niet meer',
      text: 'Aanmeldlinks werken zeven dagen of totdat het account wordt gesloten. Deze is verlopen, of er ontbreekt een deel.',
      next: 'Vraag een nieuwe aan de persoon die u de link heeft gestuurd. Wat u hebt ingevuld, gaat niet verloren.',
    },
    away: {
      heading: 'We kunnen u op dit moment niet doorsturen',
      text: 'De betaalprovider is op dit moment niet bereikbaar.',
      next: 'Open dezelfde link over een paar minuten opnieuw.',
    },
    tooOften: {
      heading: 'Deze link is te vaak geopend',
      text: 'Een link kan een paar keer per minuut worden geopend.',
      next: 'Open dezelfde link over een minuut opnieuw.',
    },
  },

  checkout: {
    back: 'Terug',
    backDetail: (practice) => ` naar ${practice} zonder te betalen`,
    paymentTo: 'Betaling aan',
    total: 'Totaal',
    totalToPay: 'Te betalen:',
    items: 'Waarvoor u betaalt',
    quantity: (quantity, each) => `Aantal ${quantity}, ${each} per stuk`,
    payByCard: 'Betalen met kaart',
    declined: 'Uw kaart is geweigerd.',
    noFunds: 'Het saldo van uw kaart is ontoereikend.',
    notCharged: 'Er is niets van uw rekening afgeschreven. U kunt het opnieuw proberen.',
    notChargedOrBack:
      'Er is niets van uw rekening afgeschreven. U kunt het opnieuw proberen of teruggaan naar de praktijk.',
    testCard: 'Testkaart',
    testCardLabel: 'Testkaart, Visa eindigend op 4242, geldig t/m 12/34',
    validTo: 'Geldig t/m 12/34',
    hint: 'Deze kaart is al voor u ingevuld. De kaart is van niemand, en er wordt niets van een rekening afgeschreven.',
    pay: (amount) => `${amount} betalen`,
    decline: 'Deze kaart weigeren',
    other: 'Een andere afloop proberen',
    otherHint: 'Om te testen: wat er nog meer met een betaling kan gebeuren.',
    noMoney: 'Kaart met te weinig saldo',
    bankDebit: 'Incasso, later bevestigd',
    openUntil: (time) => `Deze pagina is open tot ${time}.`,
    bank: 'Voor de bank beslissen',
    bankHint: 'Om te testen: het wachten beëindigen.',
    bankPays: 'Het geld komt binnen',
    bankRefuses: 'De bank weigert',
    title: (amount, practice) => `${amount} betalen aan ${practice}`,
    declinedTitle: 'Betaling geweigerd.',
    closed: {
      heading: 'Deze betaalpagina is niet meer open',
      text: 'Er is niets van uw rekening afgeschreven.',
      next: (practice) => html`Moet u nog betalen, vraag ${practice} dan om een nieuwe link.`,
    },
    missing: {
      heading: 'We hebben deze betaalpagina niet gevonden',
      text: 'Misschien is de link onvolledig of verkeerd getypt. Open hem opnieuw vanuit het bericht dat u hebt ontvangen, of vraag uw praktijk om een nieuwe.',
    },
  },

  setup: {
    heading: (practice) => `Betalingen instellen voor ${practice}`,
    lead: (practice) =>
      `Controleer de gegevens hieronder. Zodra ze bevestigd zijn, kunnen patiënten online aan ${practice} betalen.`,
    bankAccount: 'Testrekening eindigend op 6789',
    details: 'Gegevens van de praktijk',
    check: 'Controleer het formulier',
    name: 'Naam van de praktijk',
    phone: 'Telefoon voor patiënten',
    website: 'Website',
    optional: 'optioneel',
    confirmed: 'Deze gegevens kloppen, en ik mag namens deze praktijk handelen.',
    finish: 'Bevestigen en afronden',
    later: 'Later afronden',
    other: 'Een andere afloop proberen',
    otherHint: 'Om te testen: hoe een controle nog meer kan aflopen.',
    restrict: 'Betalingen aan, uitbetalingen vastgehouden',
    reject: 'Account geweigerd',
    errors: {
      name: 'Vul de naam van uw praktijk in.',
      nameLength: 'De naam mag hoogstens 200 tekens hebben.',
      phone: 'Vul een telefoonnummer in cijfers in, zoals +31 20 555 0100.',
      website: 'Vul het volledige adres in, zoals https://praktijk.example.',
      confirmed: 'Bevestig dat de gegevens kloppen.',
    },
    missing: {
      heading: 'We hebben deze pagina niet gevonden',
      text: 'Misschien is de link onvolledig. Open hem opnieuw vanuit uw praktijksoftware.',
    },
  },

  sandbox: {
    name: 'Sandbox:',
    note: 'er gaat geen echt geld om.',
    foot: 'Frontdesk-sandbox: vervangt de betaalprovider tijdens het ontwikkelen.',
  },
}
