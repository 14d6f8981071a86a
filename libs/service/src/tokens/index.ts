export * from './internal-tokens.ts'
export { contentDigest, type ArrivedRequest, type OutgoingRequest } from './request-signatures.ts'
