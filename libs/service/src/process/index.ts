export * from './config.ts'
export * from './durations.ts'
export * from './run.ts'
