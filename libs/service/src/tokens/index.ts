export * from './internal-tokens.ts'
export * from './mounted-keys.ts'
export { contentDigest, type ArrivedRequest, type OutgoingRequest } from './request-signatures.ts'
