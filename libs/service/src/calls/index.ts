export * from './breaker.ts'
export * from './internal-client.ts'
