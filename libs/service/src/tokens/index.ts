export * from './internal-tokens.ts'
