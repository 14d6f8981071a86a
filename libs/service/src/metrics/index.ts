export * from './metrics.ts'
export * from './pools.ts'
