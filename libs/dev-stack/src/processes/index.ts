export { freePort } from './free-port.ts'
export { recordedProcess, recordProcess, stopRecordedProcess } from './recorded-process.ts'
export { type ServerProcess, spawnServer, whenReady } from './server-process.ts'
