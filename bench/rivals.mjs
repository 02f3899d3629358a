import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { env } from 'node:process'

const names = ['supergateway', 'mcp-proxy', 'mcp-hub']

/** Bridges of others that are installed in the folder that `PARLEY_RIVALS` names; they are no dependency of ours. */
export function rivalsNamed(...wanted) {
  return wanted
    .filter((name) => rivalProgram(name) !== undefined)
    .map((name) => ({ name, title: `${name} ${manifestOf(name).version}` }))
}

/** Those that are not there, and so are not measured. */
export const missingRivals = names.filter((name) => rivalProgram(name) === undefined)

/** Its program; undefined if it is not installed. */
export function rivalProgram(name) {
  const path = manifestPath(name)
  if (path === undefined || !existsSync(path)) return undefined
  return join(path, '..', manifestOf(name).bin[name])
}

function manifestOf(name) {
  return JSON.parse(readFileSync(manifestPath(name), 'utf8'))
}

function manifestPath(name) {
  const { PARLEY_RIVALS: folder } = env
  return folder && join(folder, 'node_modules', name, 'package.json')
}
