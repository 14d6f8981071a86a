export * from './mounted-file.ts'
