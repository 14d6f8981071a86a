export * from './merge-ranges.ts'
export * from './page-token.ts'
