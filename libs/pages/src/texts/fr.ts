import { html } from '../html.ts'
import type { Texts } from './index.ts'

export const fr: Texts = {
  yourPractice: 'votre cabinet',
  close: 'Vous pouvez fermer cette page.',
  continue: 'Continuer',
  backTo: (practice) => `Retour vers ${practice}`,
  backToSoftware: 'Retour à votre logiciel de cabinet',
  labelled: (name, value) => `${name}\u00a0: ${value}`,
  facts: {
    practice: 'Cabinet',
    amount: 'Montant',
    refunded: 'Remboursé',
    reference: 'Référence',
    paidAt: 'Payé le',
    country: 'Pays',
    currency: 'Devise des virements',
    email: 'E-mail',
    statement: 'Libellé sur les relevés de carte',
    payouts: 'Virements vers',
  },

  outcome: {
    paid: {
      heading: 'Paiement reçu',
      text: (amount, practice) => html`Merci. Vous avez payé ${amount} à ${practice}.`,
      next: 'Le cabinet en a été informé. Vous n’avez plus rien à faire.',
    },
    processing: {
      heading: 'Votre paiement est en cours',
      text: (amount, practice) => html`Votre banque a reçu une demande de paiement de ${amount} pour ${practice}.`,
      next: 'Cela peut prendre quelques jours. Le cabinet sera informé dès que l’argent arrivera\u00a0: ne payez pas une seconde fois.',
    },
    open: {
      heading: 'Nous attendons votre paiement',
      text: (amount, practice) => html`Le paiement de ${amount} à ${practice} n’est pas encore confirmé.`,
      next: 'Si vous venez de payer, cela peut prendre une minute\u00a0: rechargez cette page avant de payer une seconde fois.',
    },
    failed: {
      heading: 'Le paiement n’a pas abouti',
      text: (amount, practice) =>
        html`Votre banque n’a pas pu prélever ${amount} pour ${practice}. Rien n’a été débité.`,
      next: (practice) => `Pour payer autrement, contactez ${practice}.`,
    },
    cancelled: {
      heading: 'Ce paiement a été annulé',
      text: (amount, practice) => html`La somme de ${amount} pour ${practice} n’a pas été débitée.`,
      next: 'Si vous devez encore payer, demandez un nouveau lien au cabinet.',
    },
    refunded: {
      heading: 'Votre paiement a été remboursé',
      text: (amount, practice) => html`La somme de ${amount} payée à ${practice} vous est remboursée.`,
      next: 'L’argent peut mettre jusqu’à dix jours à arriver sur votre compte.',
    },
    partlyRefunded: {
      heading: 'Une partie de votre paiement a été remboursée',
      text: (refunded, amount, practice) =>
        html`Sur la somme de ${amount} payée à ${practice}, le cabinet vous rembourse ${refunded}.`,
      next: 'L’argent peut mettre jusqu’à dix jours à arriver sur votre compte.',
    },
    disputed: {
      heading: 'Ce paiement est contesté',
      text: (amount, practice) => html`Votre banque examine votre paiement de ${amount} à ${practice}.`,
      next: 'Votre banque vous communiquera sa décision. Le cabinet peut vous en dire plus sur ce paiement.',
    },
    chargedBack: {
      heading: 'Votre banque a annulé ce paiement',
      text: (amount, practice) => html`Votre banque a décidé de vous rendre la somme de ${amount} payée à ${practice}.`,
      next: 'Pour toute question sur ce paiement, contactez le cabinet.',
    },
    unknown: {
      heading: 'Merci',
      text: 'Votre paiement est en route vers le cabinet, qui vous le confirmera.',
    },
    missing: {
      heading: 'Nous n’avons pas trouvé ce paiement',
      text: 'L’adresse est peut-être incomplète ou mal écrite. Votre cabinet peut vous dire où en est votre paiement.',
    },
  },

  onboarded: {
    done: {
      heading: 'Votre cabinet peut recevoir des paiements',
      text: 'Le prestataire de paiement a tout ce qu’il lui faut. Vous n’avez plus rien à faire.',
    },
    checking: {
      heading: 'Vos informations sont en cours de vérification',
      text: 'Le prestataire de paiement a vos informations. La vérification peut prendre du temps\u00a0: votre logiciel de cabinet indique quand vous pouvez recevoir des paiements.',
    },
    unfinished: {
      heading: 'Vous n’avez pas encore terminé',
      text: 'Ce que vous avez saisi n’est pas perdu. Vous ne pourrez recevoir de paiements qu’après avoir terminé, maintenant ou plus tard avec le même lien.',
      next: 'Poursuivre',
    },
    restricted: {
      heading: 'Le prestataire de paiement a besoin d’autres informations',
      text: 'Il manque quelque chose. En attendant, des paiements ou des virements vers vous peuvent être retenus.',
      next: 'Voir ce qui manque',
    },
    rejected: {
      heading: 'Ce compte ne peut pas recevoir de paiements',
      text: 'Le prestataire de paiement a examiné vos informations et refusé le compte. Vous ne pouvez pas changer cela ici\u00a0: contactez l’éditeur de votre logiciel de cabinet.',
    },
    disabled: {
      heading: 'Ce compte est désactivé',
      text: 'Le prestataire de paiement a désactivé le compte, ou vous en avez révoqué l’accès. Recommencez dans votre logiciel de cabinet.',
    },
    unknown: {
      heading: 'Merci',
      text: 'Le prestataire de paiement a vos informations. La vérification peut prendre du temps. Votre logiciel de cabinet indique quand vous pouvez recevoir des paiements.',
    },
  },

  link: {
    invalid: {
      heading: 'Ce lien ne fonctionne plus',
      text: 'Les liens d’inscription sont valables sept jours, ou jusqu’à la fermeture du compte. Celui-ci a expiré, ou il en manque une partie.',
      next: 'Demandez-en un nouveau à la personne qui vous l’a envoyé. Ce que vous avez saisi n’est pas perdu.',
    },
    away: {
      heading: 'Nous ne pouvons pas vous y conduire pour le moment',
      text: 'Le prestataire de paiement est injoignable en ce moment.',
      next: 'Ouvrez de nouveau le même lien dans quelques minutes.',
    },
    tooOften: {
      heading: 'Ce lien a été ouvert trop souvent',
      text: 'Un lien peut être ouvert quelques fois par minute.',
      next: 'Ouvrez de nouveau le même lien dans une minute.',
    },
  },

  checkout: {
    back: 'Retour',
    backDetail: (practice) => ` vers ${practice} sans payer`,
    paymentTo: 'Paiement à',
    total: 'Total',
    totalToPay: 'Total à payer\u00a0:',
    items: 'Ce que vous payez',
    quantity: (quantity, each) => `Quantité\u00a0: ${quantity} (${each} l’unité)`,
    payByCard: 'Payer par carte',
    declined: 'Votre carte a été refusée.',
    noFunds: 'Le solde de votre carte est insuffisant.',
    notCharged: 'Rien n’a été débité. Vous pouvez réessayer.',
    notChargedOrBack: 'Rien n’a été débité. Vous pouvez réessayer ou revenir au cabinet.',
    testCard: 'Carte de test',
    testCardLabel: 'Carte de test, Visa se terminant par 4242, expire fin 12/34',
    validTo: 'Expire fin 12/34',
    hint: 'Cette carte est déjà saisie. Elle n’appartient à personne, et rien n’est prélevé sur aucun compte.',
    pay: (amount) => `Payer ${amount}`,
    decline: 'Refuser cette carte',
    other: 'Essayer un autre résultat',
    otherHint: 'Pour les tests\u00a0: ce qui peut encore arriver à un paiement.',
    noMoney: 'Carte sans solde suffisant',
    bankDebit: 'Prélèvement, confirmé plus tard',
    openUntil: (time) => `Cette page reste ouverte jusqu’au ${time}.`,
    bank: 'Décider pour la banque',
    bankHint: 'Pour les tests\u00a0: mettre fin à l’attente.',
    bankPays: 'L’argent arrive',
    bankRefuses: 'La banque refuse',
    title: (amount, practice) => `Payer ${amount} à ${practice}`,
    declinedTitle: 'Paiement refusé.',
    closed: {
      heading: 'Cette page de paiement n’est plus ouverte',
      text: 'Rien n’a été débité.',
      next: (practice) => html`Si vous devez encore payer, demandez un nouveau lien à ${practice}.`,
    },
    missing: {
      heading: 'Nous n’avons pas trouvé cette page de paiement',
      text: 'Le lien est peut-être incomplet ou mal écrit. Ouvrez-le de nouveau depuis le message reçu, ou demandez-en un autre à votre cabinet.',
    },
  },

  setup: {
    heading: (practice) => `Activer les paiements pour ${practice}`,
    lead: (practice) =>
      `Vérifiez les informations ci-dessous. Dès qu’elles seront confirmées, les patients pourront payer ${practice} en ligne.`,
    bankAccount: 'Compte bancaire de test se terminant par 6789',
    details: 'Informations du cabinet',
    check: 'Vérifiez le formulaire',
    name: 'Nom du cabinet',
    phone: 'Téléphone pour les patients',
    website: 'Site web',
    optional: 'facultatif',
    confirmed: 'Ces informations sont exactes, et je peux agir pour ce cabinet.',
    finish: 'Confirmer et terminer',
    later: 'Terminer plus tard',
    other: 'Essayer un autre résultat',
    otherHint: 'Pour les tests\u00a0: les autres résultats possibles d’une vérification.',
    restrict: 'Paiements actifs, virements retenus',
    reject: 'Compte refusé',
    errors: {
      name: 'Saisissez le nom de votre cabinet.',
      nameLength: 'Le nom peut comporter au plus 200\u00a0caractères.',
      phone: 'Saisissez un numéro de téléphone en chiffres, par exemple +33 1 55 55 01 00.',
      website: 'Saisissez l’adresse complète, par exemple https://cabinet.example.',
      confirmed: 'Confirmez que les informations sont exactes.',
    },
    missing: {
      heading: 'Nous n’avons pas trouvé cette page',
      text: 'Le lien est peut-être incomplet. Ouvrez-le de nouveau depuis votre logiciel de cabinet.',
    },
  },

  sandbox: {
    name: 'Bac à sable\u00a0:',
    note: 'aucun argent réel ne circule.',
    foot: 'Bac à sable de Frontdesk\u00a0: remplace le prestataire de paiement pendant le développement.',
  },
}
