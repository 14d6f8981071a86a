export * from './key-ring.ts'
