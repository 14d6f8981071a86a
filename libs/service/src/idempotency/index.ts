export * from './idempotency.ts'
export * from './run-once.ts'
