import { memberOf, type ConfigNode } from '@parley/foundation/config'

import { readBytes } from '../bridge/byte-size.ts'
import type { ConfigReader } from './config-reader.ts'

/** Where the page of a gateway is, and what it keeps. */
export interface PageSettings {
  /** @defaultValue 0: any that is free */
  readonly port?: number | undefined
  /** @defaultValue '127.0.0.1' */
  readonly host?: string | undefined
  /** Listen on an address that others can reach. @defaultValue false */
  readonly allowRemote?: boolean | undefined
  /** Names that it answers to besides loopback: what a proxy in front calls it. */
  readonly allowedHosts?: readonly string[] | undefined
  /** Record messages also while nobody looks. @defaultValue false */
  readonly isRecording?: boolean | undefined
  /** Messages that are kept, in bytes; the oldest go. @defaultValue 16 MiB */
  readonly recordBytes?: number | undefined
}

const names = ['port', 'host', 'allowRemote', 'allowedHosts', 'record', 'keep']

/** `page: true`, `page: 8081`, or an object. Undefined where there is to be none. */
export function readPage(
  reader: ConfigReader,
  node: ConfigNode | undefined,
): PageSettings | undefined {
  if (node === undefined || node.value === false) return undefined
  if (node.value === true) return {}
  if (typeof node.value === 'number') {
    return { port: readPort(reader, node, 'page') }
  }
  const fields = reader.object(node, 'page', names)
  if (fields === undefined) return undefined
  const port = memberOf(fields, 'port')?.node
  return {
    ...(port && { port: readPort(reader, port, 'page.port') }),
    host: reader.text(fields, 'host', 'page.host'),
    allowRemote: reader.boolean(fields, 'allowRemote', 'page.allowRemote'),
    allowedHosts: reader.texts(fields, 'allowedHosts', 'page.allowedHosts'),
    isRecording: reader.boolean(fields, 'record', 'page.record'),
    recordBytes: reader.parsed(fields, 'keep', 'page.keep', readBytes),
  }
}

function readPort(reader: ConfigReader, node: ConfigNode, key: string): number | undefined {
  const { value } = node
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 65_535) {
    return value
  }
  reader.fault(node, key, `is no port: ${JSON.stringify(value)}`, 'Write a number from 0 to 65535.')
  return undefined
}
