export { longestAddress } from './client-errors.ts'
export * from './json-body.ts'
export * from './operations.ts'
export * from './server.ts'
