export * from './config.ts'
export * from './durations.ts'
export { modeSettings } from './modes.ts'
export * from './run.ts'
