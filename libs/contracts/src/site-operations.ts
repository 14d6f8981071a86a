import { Type } from 'typebox'
import { errorCategories, NoParams, type Operation } from './operation.ts'
import { PracticeManagementSystemList } from './practice-management-systems.ts'
import {
  DeletedSite,
  PmsSpecificId,
  RotatedSiteKeys,
  SiteChange,
  SiteCreation,
  SiteList,
  SiteListItem,
  SiteListQuery,
  SiteWithKeys,
} from './sites.ts'
import { described, enumeration } from './members.ts'
import { closed } from './values.ts'

const { always, onEntity } = errorCategories
const SiteIdentifier = described(PmsSpecificId, 'The slug of the site, or its id in the practice management system.')
const management = { service: 'registry', level: 'management', deadlineMs: 5_000 } as const

const Key = enumeration('The API key of a site that is replaced.', {
  Primary: 'The `PrimaryKey`.',
  Secondary: 'The `SecondaryKey`.',
})

/** The public operations of registry (interface, endpoints 1 to 4, and additions). */
export const siteOperations = {
  createSite: {
    ...management,
    summary: 'Create a practice site',
    description:
      'The site gets a slug, two API keys and, if you name none, an organisation of its own. Your client must have access to its practice management system.',
    method: 'POST',
    path: '/api/v1/management/sites',
    clientMethod: 'sites.create',
    scope: 'sites:manage',
    params: NoParams,
    body: SiteCreation,
    responses: { 201: SiteWithKeys },
    errors: [...always, 'Unprocessable'],
    refusals: ['organisation_unknown', 'organisation_required', 'conflict'],
    practiceManagementSoftware: true,
    secret: true,
    audited: true,
  },
  deleteSite: {
    ...management,
    summary: 'Delete a practice site',
    description:
      'Its keys stop working, its open payments are cancelled, and no new ones can be made. If it is the last site of its owning organisation, the organisation is deleted as well.',
    method: 'DELETE',
    path: '/api/v1/management/sites/{SiteIdentifier}',
    clientMethod: 'sites.delete',
    scope: 'sites:manage',
    params: Type.Object({ SiteIdentifier }, closed),
    responses: { 200: DeletedSite },
    errors: onEntity,
    refusals: [],
    practiceManagementSoftware: true,
    audited: true,
  },
  changeSite: {
    ...management,
    summary: 'Change a practice site',
    description: 'The body is a JSON merge patch: absent members stay as they are, and null removes one.',
    method: 'PATCH',
    path: '/api/v1/management/sites/{SiteIdentifier}',
    clientMethod: 'sites.change',
    scope: 'sites:manage',
    params: Type.Object({ SiteIdentifier }, closed),
    body: SiteChange,
    contentTypes: ['application/json', 'application/merge-patch+json'],
    responses: { 200: SiteListItem },
    errors: [...onEntity, 'Unprocessable'],
    refusals: ['pms_specific_id_taken'],
    practiceManagementSoftware: true,
    audited: true,
  },
  getSiteIdentity: {
    ...management,
    summary: 'Get the identity and the API keys of a practice site',
    description:
      'For systems that must act for a site and no longer have its keys. Each call is recorded in the audit trail.',
    method: 'GET',
    path: '/api/v1/management/sites/{SiteIdentifier}/identity',
    clientMethod: 'sites.getIdentity',
    scope: 'sites:manage',
    params: Type.Object({ SiteIdentifier }, closed),
    responses: { 200: SiteWithKeys },
    errors: onEntity,
    refusals: [],
    practiceManagementSoftware: true,
    secret: true,
    audited: true,
  },
  rotateSiteKey: {
    ...management,
    summary: 'Replace one of the API keys of a practice site',
    description:
      'The replaced key stops working at once, and the subscription that it made is paused. The other key is not touched.',
    method: 'POST',
    path: '/api/v1/management/sites/{SiteIdentifier}/keys/{Key}/rotate',
    clientMethod: 'sites.rotateKey',
    scope: 'sites:manage',
    params: Type.Object({ SiteIdentifier, Key }, closed),
    responses: { 200: RotatedSiteKeys },
    errors: onEntity,
    refusals: [],
    practiceManagementSoftware: true,
    secret: true,
    audited: true,
  },
  listSites: {
    ...management,
    summary: 'List practice sites',
    description: 'The sites that you may see, in pages. All filters must hold; of the values of one filter any.',
    method: 'GET',
    path: '/api/v1/sites',
    clientMethod: 'sites.list',
    scope: 'sites:read',
    params: NoParams,
    query: SiteListQuery,
    responses: { 200: SiteList },
    errors: always,
    refusals: [],
    practiceManagementSoftware: true,
  },
  listPracticeManagementSystems: {
    ...management,
    clientMethod: 'practiceManagementSystems.list',
    summary: 'List the practice management systems, with their codes',
    description: 'All systems that Frontdesk knows, and which of them your client has access to.',
    refusals: [],
    method: 'GET',
    path: '/api/v1/practice-management-systems',
    scope: 'sites:read',
    params: NoParams,
    responses: { 200: PracticeManagementSystemList },
    errors: always,
  },
} as const satisfies Record<string, Operation>
