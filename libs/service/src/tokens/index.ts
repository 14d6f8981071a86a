export type { KeyFiles } from './internal-keys.ts'
export {
  openTokenIssuer,
  openTokenVerifier,
  siteKeyIdOf,
  type InternalClaims,
  type Principal,
  type TokenIssuer,
  type TokenVerifier,
  type VerifiedInternalToken,
} from './internal-tokens.ts'
export * from './mounted-keys.ts'
export { contentDigest, type ArrivedRequest, type OutgoingRequest } from './request-signatures.ts'
