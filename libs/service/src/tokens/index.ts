export * from './internal-tokens.ts'
export * from './mounted-keys.ts'
