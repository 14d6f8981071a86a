import { Type } from 'typebox'
import { errorCategories, NoParams, type Operation } from './operation.ts'
import {
  DeletedSite,
  RotatedSiteKeys,
  SiteChange,
  SiteCreation,
  SiteList,
  SiteListItem,
  SiteListQuery,
  SiteWithKeys,
} from './sites.ts'
import { closed } from './values.ts'

const { always, onEntity } = errorCategories
const SiteIdentifier = Type.String({ minLength: 1, maxLength: 200, pattern: '^[\\x21-\\x7e]+$' })
const management = { service: 'registry', level: 'management', deadlineMs: 5_000 } as const

/** The public operations of registry (interface, endpoints 1 to 4, and additions). */
export const siteOperations = {
  createSite: {
    ...management,
    summary: 'Create a practice site',
    method: 'POST',
    path: '/api/v1/management/sites',
    scope: 'sites:manage',
    params: NoParams,
    body: SiteCreation,
    responses: { 201: SiteWithKeys },
    errors: [...always, 'Unprocessable'],
    practiceManagementSoftware: true,
    secret: true,
    audited: true,
  },
  deleteSite: {
    ...management,
    summary: 'Delete a practice site',
    method: 'DELETE',
    path: '/api/v1/management/sites/{SiteIdentifier}',
    scope: 'sites:manage',
    params: Type.Object({ SiteIdentifier }, closed),
    responses: { 200: DeletedSite },
    errors: onEntity,
    practiceManagementSoftware: true,
    audited: true,
  },
  changeSite: {
    ...management,
    summary: 'Change a practice site',
    method: 'PATCH',
    path: '/api/v1/management/sites/{SiteIdentifier}',
    scope: 'sites:manage',
    params: Type.Object({ SiteIdentifier }, closed),
    body: SiteChange,
    contentTypes: ['application/json', 'application/merge-patch+json'],
    responses: { 200: SiteListItem },
    errors: [...onEntity, 'Unprocessable'],
    practiceManagementSoftware: true,
    audited: true,
  },
  getSiteIdentity: {
    ...management,
    summary: 'Get the identity and the API keys of a practice site',
    method: 'GET',
    path: '/api/v1/management/sites/{SiteIdentifier}/identity',
    scope: 'sites:manage',
    params: Type.Object({ SiteIdentifier }, closed),
    responses: { 200: SiteWithKeys },
    errors: onEntity,
    practiceManagementSoftware: true,
    secret: true,
    audited: true,
  },
  rotateSiteKey: {
    ...management,
    summary: 'Replace one of the API keys of a practice site',
    method: 'POST',
    path: '/api/v1/management/sites/{SiteIdentifier}/keys/{Key}/rotate',
    scope: 'sites:manage',
    params: Type.Object({ SiteIdentifier, Key: Type.Enum(['Primary', 'Secondary']) }, closed),
    responses: { 200: RotatedSiteKeys },
    errors: onEntity,
    practiceManagementSoftware: true,
    secret: true,
    audited: true,
  },
  listSites: {
    ...management,
    summary: 'List practice sites',
    method: 'GET',
    path: '/api/v1/sites',
    scope: 'sites:read',
    params: NoParams,
    query: SiteListQuery,
    responses: { 200: SiteList },
    errors: always,
    practiceManagementSoftware: true,
  },
} as const satisfies Record<string, Operation>
