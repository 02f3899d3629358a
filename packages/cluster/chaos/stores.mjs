/** The stores that can be broken, and what their logs say of a stream. */

import { startRedisProcess } from '@parley/cluster/testing'
import { Redis } from 'ioredis'
import pg from 'pg'

import { startPostgresProcess } from './postgres-process.mjs'

/**
 * @typedef {object} LoggedStream
 * @property {number} first the number of the first event that is kept
 * @property {readonly string[]} texts
 * @property {boolean} isEnded
 */

/**
 * @typedef {object} BrokenStore
 * @property {'redis' | 'postgres'} kind
 * @property {number} port
 * @property {(port: number) => string} urlAt how a process reaches it by another port
 * @property {() => Promise<void>} start
 * @property {() => Promise<void>} kill
 * @property {() => void} pause
 * @property {() => void} resume
 * @property {(streamId: string) => Promise<LoggedStream | undefined>} readStream
 * @property {() => Promise<string>} readFormat
 * @property {() => Promise<void>} close
 */

/** @param {'redis' | 'postgres'} kind @param {{ storesData: boolean }} options @returns {Promise<BrokenStore>} */
export function openStore(kind, options) {
  return kind === 'redis' ? openRedis(options) : openPostgres()
}

/** @param {{ storesData: boolean }} options @returns {Promise<BrokenStore>} */
async function openRedis({ storesData }) {
  const server = await startRedisProcess({ storesData })
  return {
    kind: 'redis',
    port: server.port,
    urlAt: (port) => `redis://127.0.0.1:${port}`,
    start: server.start,
    kill: server.kill,
    pause: server.pause,
    resume: server.resume,
    readStream: (streamId) => readRedisStream(server.port, streamId),
    readFormat: () => readRedisFormat(server.port),
    close: async () => server[Symbol.asyncDispose](),
  }
}

/** @param {number} port @param {string} streamId @returns {Promise<LoggedStream | undefined>} */
export async function readRedisStream(port, streamId) {
  const client = new Redis(port, '127.0.0.1', { maxRetriesPerRequest: 3 })
  try {
    const keys = await client.keys(`parley1:stream:*}${streamId}`)
    const [key] = keys
    if (key === undefined) return undefined
    const facts = await client.hgetall(key)
    const texts = await client.lrange(
      key.replace('parley1:stream:', 'parley1:stream-texts:'),
      0,
      -1,
    )
    const last = Number(facts['last'])
    return { first: last - texts.length + 1, texts, isEnded: facts['ended'] === '1' }
  } finally {
    client.disconnect()
  }
}

/** @param {number} port @returns {Promise<string>} */
async function readRedisFormat(port) {
  const client = new Redis(port, '127.0.0.1', { maxRetriesPerRequest: 3 })
  try {
    return (await client.get('parley1:format')) ?? ''
  } finally {
    client.disconnect()
  }
}

/** @returns {Promise<BrokenStore>} */
async function openPostgres() {
  const server = await startPostgresProcess()
  const urlAt = (/** @type {number} */ port) => `postgres://postgres@127.0.0.1:${port}/postgres`
  return {
    kind: 'postgres',
    port: server.port,
    urlAt,
    start: server.start,
    kill: server.kill,
    pause: server.pause,
    resume: server.resume,
    readStream: (streamId) => readPostgresStream(urlAt(server.port), streamId),
    readFormat: async () => '1',
    close: server.close,
  }
}

/** @param {string} connectionString @param {string} streamId @returns {Promise<LoggedStream | undefined>} */
async function readPostgresStream(connectionString, streamId) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    const { rows } = await client.query('SELECT * FROM parley1.streams WHERE stream = $1', [
      streamId,
    ])
    const [facts] = rows
    if (facts === undefined) return undefined
    const { rows: events } = await client.query(
      'SELECT number, text FROM parley1.stream_texts WHERE session = $1 AND stream = $2 ORDER BY number',
      [facts.session, streamId],
    )
    const texts = events.map(({ text }) => text.toString())
    return { first: Number(events[0]?.number ?? 1), texts, isEnded: facts.is_ended }
  } finally {
    await client.end()
  }
}
