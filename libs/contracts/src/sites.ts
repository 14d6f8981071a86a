import { Type, type Static } from 'typebox'
import { PracticeManagementSoftware, SiteStatus } from './enumerations.ts'
import { pageOf, paging } from './paging.ts'
import { count, currencyCode, described, text, told } from './members.ts'
import { closed, Country, Currency, HttpUrl, Slug } from './values.ts'

const line1 = text(200, 'The first line: house and street.')
const line2 = text(200, 'The second line.')
const locality = text(200, 'The city or town.')
const region = text(200, 'The region, state or county.')
const postalCode = text(32, 'The postal code.')
const country = described(Country, 'The country, by its code of ISO 3166-1 alpha-2.')

export const StreetAddress = Type.Object(
  {
    AddressLine1: Type.Optional(line1),
    AddressLine2: Type.Optional(line2),
    Locality: Type.Optional(locality),
    Region: Type.Optional(region),
    PostalCode: Type.Optional(postalCode),
    Country: Type.Optional(country),
  },
  { ...closed, description: 'An address.' },
)
export type StreetAddress = Static<typeof StreetAddress>

/** 1 to 200 characters after trimming, without control characters. */
export const SiteName = Type.String({
  maxLength: 400,
  pattern: '^\\s*[^\\s\\u0000-\\u001f\\u007f](?:[^\\u0000-\\u001f\\u007f]{0,198}[^\\s\\u0000-\\u001f\\u007f])?\\s*$',
  description: 'The name of the practice: 1 to 200 characters after trimming.',
})
const PhoneNumber = Type.String({
  pattern: '^\\+[1-9]\\d{1,14}$',
  description: 'The phone number of the practice (E.164), such as `+441632960123`.',
})
const EmailAddress = Type.String({
  format: 'idn-email',
  maxLength: 254,
  description: 'The e-mail address of the practice.',
})
export const PmsSpecificId = Type.String({
  minLength: 1,
  maxLength: 200,
  // Any characters but control characters, no space at either end.
  pattern:
    '^[^\\s\\u0000-\\u001f\\u007f-\\u009f](?:[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f])?$',
  description: 'The id of the site in its practice management system. It is unique within the system.',
})
export const Coordinates = Type.Object(
  {
    Latitude: Type.Number({ minimum: -90, maximum: 90, description: 'Degrees north of the equator.' }),
    Longitude: Type.Number({ minimum: -180, maximum: 180, description: 'Degrees east of Greenwich.' }),
  },
  { ...closed, description: 'A position on a map (WGS 84).' },
)

// An addition to the interface, whose subscriptions name no address.
const WebhookUrl = described(
  HttpUrl,
  "The address for the webhooks of subscriptions to this site that name no `Url` and whose client has no registered address: those of the site's own API keys, for instance. A new site has the registered address of the client that creates it. Whoever may read the site reads it: put secrets into `Headers`. A change does not move subscriptions that exist.",
)
const address = described(StreetAddress, 'Where the practice is.')
const postalAddress = described(StreetAddress, 'Where the practice gets its mail.')
const coordinates = described(Coordinates, 'Where the practice is on a map.')
const owner = described(Slug, 'The organisation that owns the site.')
const payer = described(Slug, 'The organisation that is billed for the site.')
const slug = described(Slug, 'The identifier of the site, for ever.')
const system = described(PracticeManagementSoftware, 'The practice management system of the site.')
const pmsSpecificId = told('The id of the site in its practice management system; its slug until the system sets one.')

export const SiteCreation = Type.Object(
  {
    Name: SiteName,
    Address: Type.Optional(address),
    PostalAddress: Type.Optional(postalAddress),
    PhoneNumber: Type.Optional(PhoneNumber),
    EmailAddress: Type.Optional(EmailAddress),
    OwningOrganisationSlug: Type.Optional(
      described(Slug, 'The organisation that will own the site. Absent: a new one, with the name of the practice.'),
    ),
    BillingOrganisationSlug: Type.Optional(
      described(Slug, 'The organisation that will be billed for the site. Absent: the one that owns it.'),
    ),
    Currency: Type.Optional(described(Currency, 'The currency of the practice, by its code of ISO 4217.')),
    WebhookUrl: Type.Optional(WebhookUrl),
  },
  { ...closed, description: 'A new practice site.' },
)
export type SiteCreation = Static<typeof SiteCreation>

/** A member of a merge patch: null removes it. */
const nullable = <T extends Parameters<typeof Type.Union>[0][number] & { description?: string }>(schema: T) => {
  const { description = '' } = schema
  return Type.Optional(Type.Union([schema, Type.Null()], { description: `${description} Null removes it.` }))
}

export const StreetAddressChange = Type.Object(
  {
    AddressLine1: nullable(line1),
    AddressLine2: nullable(line2),
    Locality: nullable(locality),
    Region: nullable(region),
    PostalCode: nullable(postalCode),
    Country: nullable(country),
  },
  { ...closed, description: 'The members of an address that change.' },
)

/** A JSON merge patch (RFC 7396): null removes a member, also inside an address. */
export const SiteChange = Type.Object(
  {
    Name: Type.Optional(SiteName),
    Address: nullable(described(StreetAddressChange, 'Where the practice is.')),
    PostalAddress: nullable(described(StreetAddressChange, 'Where the practice gets its mail.')),
    PhoneNumber: nullable(PhoneNumber),
    EmailAddress: nullable(EmailAddress),
    Currency: nullable(described(Currency, 'The currency of the practice, by its code of ISO 4217.')),
    Coordinates: nullable(coordinates),
    MapPlaceId: nullable(text(200, 'The id of the practice in a mapping service.')),
    ApplicationVersion: nullable(text(100, 'The version of the practice management system that the site runs.')),
    WebhookUrl: nullable(WebhookUrl),
    SiteStatus: Type.Optional(SiteStatus),
    PmsSpecificSiteId: Type.Optional(PmsSpecificId),
  },
  { ...closed, description: 'A JSON merge patch (RFC 7396): null removes a member, also inside an address.' },
)
export type SiteChange = Static<typeof SiteChange>

export const Identity = Type.Object(
  {
    Name: told('The name of the practice.'),
    PracticeManagementSoftware: system,
    PmsSpecificSiteId: pmsSpecificId,
    SiteSlug: slug,
    OwningOrganisationSlug: owner,
    BillingOrganisationSlug: payer,
  },
  { description: 'Who a site is.' },
)
export type Identity = Static<typeof Identity>

const keys = {
  PrimaryKey: told('An API key of the site. Send it as `X-Site-Api-Key`. It is a secret.'),
  SecondaryKey: told('The other API key of the site, so that one can be replaced while the other one is in use.'),
}
export const PracticeSiteApiKeys = Type.Object(keys, { description: 'The two API keys of a site.' })
export type PracticeSiteApiKeys = Static<typeof PracticeSiteApiKeys>

export const RotatedSiteKeys = Type.Object(
  {
    ...keys,
    PausedSubscriptions: Type.Optional(
      count(
        'The subscriptions that the replaced key had made, and that are paused now. Absent: they are paused a moment later.',
      ),
    ),
  },
  { description: 'The API keys of a site after one was replaced.' },
)

export const DeletedOrganisation = Type.Object(
  {
    Name: told('The name of the organisation.'),
    PracticeManagementSoftware: described(
      PracticeManagementSoftware,
      'The practice management system of the organisation.',
    ),
    PmsSpecificOrganisationId: told('The id of the organisation in its practice management system.'),
    OrganisationSlug: described(Slug, 'The identifier that the organisation had.'),
  },
  { description: 'An organisation that was deleted along with the last site that it owned.' },
)
export type DeletedOrganisation = Static<typeof DeletedOrganisation>

export const SiteWithKeys = Type.Object({ Identity, PracticeSiteApiKeys }, { description: 'A site with its API keys.' })
export const DeletedSite = Type.Object(
  { Identity, DeletedOrganisation: Type.Optional(DeletedOrganisation) },
  { description: 'A site that was deleted, and its organisation if that was deleted along with it.' },
)

export const SiteListItem = Type.Object(
  {
    PracticeManagementSoftware: system,
    PmsSpecificSiteId: pmsSpecificId,
    SiteSlug: slug,
    OwningOrganisationSlug: owner,
    BillingOrganisationSlug: payer,
    Name: told('The name of the practice.'),
    Address: Type.Optional(address),
    PostalAddress: Type.Optional(postalAddress),
    Coordinates: Type.Optional(coordinates),
    PhoneNumber: Type.Optional(told('The phone number of the practice (E.164).')),
    EmailAddress: Type.Optional(told('The e-mail address of the practice.')),
    ApplicationVersion: Type.Optional(told('The version of the practice management system that the site runs.')),
    Currency: Type.Optional(currencyCode('The currency of the practice.')),
    MapPlaceId: Type.Optional(told('The id of the practice in a mapping service.')),
    WebhookUrl: Type.Optional(WebhookUrl),
    SiteStatus,
  },
  { description: 'A practice site.' },
)
export type SiteListItem = Static<typeof SiteListItem>

const slugs = (description: string) => Type.Optional(Type.Array(Slug, { maxItems: 250, description }))
export const SiteListQuery = Type.Object(
  {
    ...paging,
    Sites: slugs('Only these sites.'),
    OwningOrganisations: slugs('Only sites that one of these organisations owns.'),
    BillingOrganisations: slugs('Only sites for which one of these organisations is billed.'),
    Countries: Type.Optional(
      Type.Array(Country, { maxItems: 250, description: 'Only sites with an `Address` in one of these countries.' }),
    ),
    isActive: Type.Optional(
      Type.Boolean({ description: 'With `true` only operational sites, with `false` only the others.' }),
    ),
  },
  closed,
)
export type SiteListQuery = Static<typeof SiteListQuery>

export const SiteList = pageOf(SiteListItem, 'A page of practice sites.')
