export * from './repeat.ts'
export * from './within.ts'
