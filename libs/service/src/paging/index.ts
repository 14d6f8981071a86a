export * from './page-token.ts'
