export * from './database-now.ts'
export * from './leader.ts'
export * from './migrations.ts'
export * from './pool.ts'
