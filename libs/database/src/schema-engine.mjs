#!/usr/bin/env node
/**
 * Prisma's schema engine. The Prisma CLI starts it in place of the native binary that it would download.
 *
 * The CLI starts the file named by PRISMA_SCHEMA_ENGINE_BINARY (see prisma-config.ts) and speaks JSON-RPC with it, one
 * message per line. Prisma publishes the same engine to npm as WebAssembly over a driver adapter. This program joins the
 * two, so that `prisma generate` and `prisma migrate dev|deploy|status|diff` need nothing but the lockfile.
 *
 * It is plain JavaScript because the CLI executes it directly, with the first `node` on PATH.
 * The reasons are in docs/decisions/002; libs/database/test/schema-engine.test.ts runs the commands.
 */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { PrismaPg } from '@prisma/adapter-pg'
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils'
import pg from 'pg'

const CHAR_OID = 18
const TEXT_OID = 25
const LOCK_NOT_AVAILABLE = '55P03'

// ---------------------------------------------------------------------------------------------- connection settings

/** Returns all values of a command line option, which may be repeated. */
function optionValues(args, name) {
  return args.flatMap((argument, index) => (argument === name ? [args[index + 1]] : []))
}

/** Returns node-postgres's TLS settings for libpq's `sslmode` and `sslrootcert`. Certificates are checked by default. */
function tlsSettings(parameters) {
  const mode = parameters.get('sslmode') ?? 'disable'
  if (mode === 'no-verify') return { rejectUnauthorized: false }
  if (!/^(require|verify-ca|verify-full)$/.test(mode)) return undefined
  const rootCertificate = parameters.get('sslrootcert')
  return rootCertificate ? { ca: readFileSync(rootCertificate, 'utf8') } : {}
}

/**
 * Splits a database URL into connection settings. pg must not get it as a `connectionString`: the string would win over
 * an explicit `database`, and the shadow database would silently be the main one.
 */
function connectionSettings(databaseUrl) {
  const url = new URL(databaseUrl)
  const schema = url.searchParams.get('schema') ?? 'public'
  const settings = {
    host: url.searchParams.get('host') ?? url.hostname,
    port: Number(url.port || 5432),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password) || undefined,
    database: decodeURIComponent(url.pathname.slice(1)),
    ssl: tlsSettings(url.searchParams),
    // The engine's locks and its `SET`s belong to a session, so all its statements must share one connection.
    max: 1,
    // The adapter does not set the search path for `?schema=`, and migrations name their tables without a schema.
    options: `-c search_path="${schema}"`,
  }
  return { schema, settings }
}

/** Runs one statement on a connection of its own. */
async function runOnce(settings, statement) {
  const client = new pg.Client(settings)
  await client.connect()
  try {
    return await client.query(statement)
  } finally {
    await client.end()
  }
}

// ------------------------------------------------------------------------------------------- `cli` sub-commands

/** Writes a line of the engine's log, from which the CLI reads errors. */
function log(level, fields) {
  process.stderr.write(`${JSON.stringify({ level, fields, target: 'schema_engine::logger' })}\n`)
}

/** Returns Prisma's code for a failed connection. */
function connectionErrorCode(error) {
  if (error.code === '3D000') return 'P1003' // no such database
  if (error.code?.startsWith('28')) return 'P1000' // authentication
  return 'P1001' // not reachable
}

/** Creates the database. Succeeds as well if another deploy creates it at the same moment. */
async function createDatabase(settings) {
  const statement = `CREATE DATABASE ${pg.escapeIdentifier(settings.database)}`
  await runOnce({ ...settings, database: 'postgres' }, statement).catch((error) => {
    // duplicate_database, or the unique violation of two simultaneous statements
    if (error.code !== '42P04' && error.code !== '23505') throw error
  })
}

/** Runs `can-connect-to-database` or `create-database`, which the CLI asks for outside JSON-RPC. */
async function runCliCommand(args, { schema, settings }) {
  log('INFO', { message: 'start' }) // the CLI drops the first line of standard error
  try {
    if (args.includes('create-database')) {
      await createDatabase(settings)
    } else {
      await runOnce(settings, `CREATE SCHEMA IF NOT EXISTS ${pg.escapeIdentifier(schema)}`)
    }
    return 0
  } catch (error) {
    log('ERROR', { error_code: connectionErrorCode(error), message: String(error.message || error.code) })
    return 1
  }
}

// -------------------------------------------------------------------------------------------------- driver adapter

const lockTries = 40

/**
 * Runs a migration. A statement that waits for a table's lock makes every later reader of the table wait behind it. So it gives
 * up after 3 s, lets them pass, and the whole script is run again, for up to about five minutes. What runs concurrently blocks
 * nobody, and would leave an invalid index if it gave up.
 */
async function runUnderLocks(pool, script) {
  const limit = /\bconcurrently\b/i.test(script) ? '0' : '3s'
  await pool.query(`set lock_timeout = '${limit}'`)
  try {
    for (let left = lockTries; ; left -= 1) {
      try {
        return await pool.query(script)
      } catch (error) {
        if (error.code !== LOCK_NOT_AVAILABLE || left <= 1) throw error
        await wait(2_000 + Math.random() * 5_000)
      }
    }
  } finally {
    await pool.query('reset lock_timeout').catch(() => {})
  }
}

/** Adds to adapter-pg 7.10 what migrations need; each of these was seen to fail without it. */
function mendAdapter(adapter) {
  const pool = adapter.underlyingDriver()
  const performIO = adapter.performIO.bind(adapter)
  const queryRaw = adapter.queryRaw.bind(adapter)
  const charColumns = new WeakMap()

  // The adapter refuses the catalogue's "char" columns as an unknown type. They travel as text, then become Character.
  adapter.performIO = async (query) => {
    const result = await performIO(query)
    const columns = (result.fields ?? []).flatMap((field, index) => (field.dataTypeID === CHAR_OID ? [index] : []))
    for (const index of columns) result.fields[index].dataTypeID = TEXT_OID
    if (columns.length > 0) charColumns.set(result.rows, columns)
    return result
  }
  adapter.queryRaw = async (query) => {
    const result = await queryRaw(query)
    for (const index of charColumns.get(result.rows) ?? []) result.columnTypes[index] = ColumnTypeEnum.Character
    return result
  }

  // The adapter splits a script at every `;`, also inside strings and $$ bodies. Postgres runs a whole script in one
  // implicit transaction, so a migration that fails leaves nothing behind.
  adapter.executeScript = async (script) => {
    try {
      await runUnderLocks(pool, script)
    } catch (error) {
      adapter.onError(error)
    }
  }
  return adapter
}

async function openAdapter(settings, schema) {
  return mendAdapter(await new PrismaPg(settings, { schema }).connect())
}

/** Creates the database in which `migrate dev` and `migrate diff` replay the migrations; dropped when disposed of. */
async function openShadowAdapter({ schema, settings }) {
  const database = `prisma_migrate_shadow_db_${randomUUID()}`
  await runOnce(settings, `CREATE DATABASE "${database}"`)
  const shadowSettings = { ...settings, database }
  if (schema !== 'public') await runOnce(shadowSettings, `CREATE SCHEMA ${pg.escapeIdentifier(schema)}`)
  const adapter = await openAdapter(shadowSettings, schema)
  const disconnect = adapter.dispose.bind(adapter)
  adapter.dispose = async () => {
    await disconnect()
    await runOnce(settings, `DROP DATABASE "${database}" WITH (FORCE)`)
  }
  return adapter
}

// ------------------------------------------------------------------------------------------------- the engine itself

/** Loads the WebAssembly module, because its npm package expects a bundler to do it. */
async function loadEngineModule() {
  const bindings = await import('@prisma/schema-engine-wasm/schema_engine_bg')
  const entry = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm')
  const bytes = readFileSync(entry.replace(/[^/\\]+$/, 'schema_engine_bg.wasm'))
  const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': bindings })
  bindings.__wbg_set_wasm(instance.exports)
  instance.exports.__wbindgen_start()
  return bindings.SchemaEngine
}

/** Creates the engine on a connection, with the schema files that the CLI names. */
async function createEngine(args, connection) {
  const SchemaEngine = await loadEngineModule()
  const adapters = bindMigrationAwareSqlAdapterFactory({
    provider: 'postgres',
    adapterName: '@prisma/adapter-pg',
    connect: () => openAdapter(connection.settings, connection.schema),
    connectToShadowDb: () => openShadowAdapter(connection),
  })
  const datamodels = optionValues(args, '--datamodels').map((file) => [file, readFileSync(file, 'utf8')])
  return SchemaEngine.new({ datamodels: datamodels.length > 0 ? datamodels : undefined }, () => {}, adapters)
}

// ---------------------------------------------------------------------------------------------------------- JSON-RPC

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}

/** Shapes an error like the native engine's, so that the CLI prints code and message as usual. */
function rpcError(error) {
  return {
    code: 4466,
    message: 'An error happened.',
    data: {
      is_panic: false,
      message: error?.message ?? String(error),
      meta: error?.meta ?? null,
      error_code: error?.code ?? null,
    },
  }
}

/** Answers one request of the CLI. */
async function answer({ id, method, params }, engine) {
  const name = method === 'getDatabaseVersion' ? 'version' : method
  if (typeof engine[name] !== 'function') throw new Error(`Method not found: ${method}`)
  const result = await engine[name](params ?? {})
  // The native engine asks the CLI to print a diff; the WebAssembly engine returns it.
  if (method === 'diff' && result?.stdout != null) {
    send({ id: 1_000_000 + id, method: 'print', params: { content: result.stdout } })
  }
  send({ id, result: result ?? {} })
}

/** Answers the requests on standard input until it closes. */
async function serve(args, connection) {
  let engine
  const pending = new Set()
  for await (const line of createInterface({ input: process.stdin })) {
    const message = JSON.parse(line)
    if (!message.method) continue // the CLI's reply to one of our `print` requests
    engine ??= createEngine(args, connection)
    const reply = engine
      .then((ready) => answer(message, ready))
      .catch((error) => send({ id: message.id, error: rpcError(error) }))
      .finally(() => pending.delete(reply))
    pending.add(reply)
  }
  await Promise.all(pending)
}

async function main(args) {
  if (args.includes('--version')) {
    console.log('schema-engine-cli wasm')
    return 0
  }
  const datasource = JSON.parse(optionValues(args, '--datasource')[0] ?? '{}')
  // `migrate diff` between files names no datasource, and opens no connection.
  const connection = connectionSettings(datasource.url || 'postgresql://127.0.0.1:1/none')
  if (args.includes('cli')) return runCliCommand(args, connection)
  await serve(args, connection)
  return 0
}

// The engine keeps its pool open, so the process would not end by itself.
process.exit(await main(process.argv.slice(2)))
