export * from './breaker.ts'
export { isConnectionError, wasNeverSent, DeadlinePassed, type Answer } from './exchange.ts'
export * from './internal-client.ts'
export * from './peers.ts'
