import { Type, type Static } from 'typebox'
import { PracticeManagementSoftware, SiteStatus } from './enumerations.ts'
import { closed, Country, Currency, HttpUrl, PageToken, Slug, text } from './values.ts'

export const StreetAddress = Type.Object(
  {
    AddressLine1: Type.Optional(text(200)),
    AddressLine2: Type.Optional(text(200)),
    Locality: Type.Optional(text(200)),
    Region: Type.Optional(text(200)),
    PostalCode: Type.Optional(text(32)),
    Country: Type.Optional(Country),
  },
  closed,
)
export type StreetAddress = Static<typeof StreetAddress>

/** 1 to 200 characters after trimming, without control characters. */
export const SiteName = Type.String({
  maxLength: 400,
  pattern: '^\\s*[^\\s\\u0000-\\u001f\\u007f](?:[^\\u0000-\\u001f\\u007f]{0,198}[^\\s\\u0000-\\u001f\\u007f])?\\s*$',
})
const PhoneNumber = Type.String({ pattern: '^\\+[1-9]\\d{1,14}$' })
const EmailAddress = Type.String({ format: 'idn-email', maxLength: 254 })
/** An id that a practice management system gave: any characters but control characters, no space at either end. */
export const PmsSpecificId = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern:
    '^[^\\s\\u0000-\\u001f\\u007f-\\u009f](?:[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f])?$',
})
export const Coordinates = Type.Object(
  { Latitude: Type.Number({ minimum: -90, maximum: 90 }), Longitude: Type.Number({ minimum: -180, maximum: 180 }) },
  closed,
)

// An addition to the interface, whose subscriptions name no address.
const webhookUrl = {
  description:
    "The address for the webhooks of subscriptions to this site that name no Url and whose client has no registered address: those of the site's own API keys, for instance. A new site has the registered address of the client that creates it. Whoever may read the site reads it: put secrets into Headers. A change does not move subscriptions that exist.",
}
const WebhookUrl = Type.String({ ...HttpUrl, ...webhookUrl })

export const SiteCreation = Type.Object(
  {
    Name: SiteName,
    Address: Type.Optional(StreetAddress),
    PostalAddress: Type.Optional(StreetAddress),
    PhoneNumber: Type.Optional(PhoneNumber),
    EmailAddress: Type.Optional(EmailAddress),
    OwningOrganisationSlug: Type.Optional(Slug),
    BillingOrganisationSlug: Type.Optional(Slug),
    Currency: Type.Optional(Currency),
    WebhookUrl: Type.Optional(WebhookUrl),
  },
  closed,
)
export type SiteCreation = Static<typeof SiteCreation>

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Optional(Type.Union([schema, Type.Null()]))

const AddressChange = Type.Object(
  {
    AddressLine1: nullable(text(200)),
    AddressLine2: nullable(text(200)),
    Locality: nullable(text(200)),
    Region: nullable(text(200)),
    PostalCode: nullable(text(32)),
    Country: nullable(Country),
  },
  closed,
)

/** A JSON merge patch (RFC 7396): null removes a member, also inside an address. */
export const SiteChange = Type.Object(
  {
    Name: Type.Optional(SiteName),
    Address: nullable(AddressChange),
    PostalAddress: nullable(AddressChange),
    PhoneNumber: nullable(PhoneNumber),
    EmailAddress: nullable(EmailAddress),
    Currency: nullable(Currency),
    Coordinates: nullable(Coordinates),
    MapPlaceId: nullable(text(200)),
    ApplicationVersion: nullable(text(100)),
    WebhookUrl: Type.Optional(Type.Union([HttpUrl, Type.Null()], webhookUrl)),
    SiteStatus: Type.Optional(SiteStatus),
    PmsSpecificSiteId: Type.Optional(PmsSpecificId),
  },
  closed,
)
export type SiteChange = Static<typeof SiteChange>

export const Identity = Type.Object({
  Name: Type.String(),
  PracticeManagementSoftware,
  PmsSpecificSiteId: Type.String(),
  SiteSlug: Slug,
  OwningOrganisationSlug: Slug,
  BillingOrganisationSlug: Slug,
})
export type Identity = Static<typeof Identity>

export const PracticeSiteApiKeys = Type.Object({ PrimaryKey: Type.String(), SecondaryKey: Type.String() })
export type PracticeSiteApiKeys = Static<typeof PracticeSiteApiKeys>

export const RotatedSiteKeys = Type.Object({
  ...PracticeSiteApiKeys.properties,
  /** Subscriptions that the replaced key had made, and that are paused now. Absent: they are paused a moment later. */
  PausedSubscriptions: Type.Optional(Type.Integer()),
})

export const DeletedOrganisation = Type.Object({
  Name: Type.String(),
  PracticeManagementSoftware,
  PmsSpecificOrganisationId: Type.String(),
  OrganisationSlug: Slug,
})
export type DeletedOrganisation = Static<typeof DeletedOrganisation>

export const SiteWithKeys = Type.Object({ Identity, PracticeSiteApiKeys })
export const DeletedSite = Type.Object({ Identity, DeletedOrganisation: Type.Optional(DeletedOrganisation) })

export const SiteListItem = Type.Object({
  PracticeManagementSoftware,
  PmsSpecificSiteId: Type.String(),
  SiteSlug: Slug,
  OwningOrganisationSlug: Slug,
  BillingOrganisationSlug: Slug,
  Name: Type.String(),
  Address: Type.Optional(StreetAddress),
  PostalAddress: Type.Optional(StreetAddress),
  Coordinates: Type.Optional(Coordinates),
  PhoneNumber: Type.Optional(Type.String()),
  EmailAddress: Type.Optional(Type.String()),
  ApplicationVersion: Type.Optional(Type.String()),
  Currency: Type.Optional(Type.String()),
  MapPlaceId: Type.Optional(Type.String()),
  WebhookUrl: Type.Optional(Type.String(webhookUrl)),
  SiteStatus,
})
export type SiteListItem = Static<typeof SiteListItem>

const slugs = Type.Optional(Type.Array(Slug, { maxItems: 250 }))
export const SiteListQuery = Type.Object(
  {
    pageSize: Type.Integer({ minimum: 1, maximum: 250, default: 50 }),
    nextPageToken: Type.Optional(PageToken),
    Sites: slugs,
    OwningOrganisations: slugs,
    BillingOrganisations: slugs,
    Countries: Type.Optional(Type.Array(Country, { maxItems: 250 })),
    isActive: Type.Optional(Type.Boolean()),
  },
  closed,
)
export type SiteListQuery = Static<typeof SiteListQuery>

export const SiteList = Type.Object({ Items: Type.Array(SiteListItem), NextPageToken: Type.Optional(Type.String()) })
