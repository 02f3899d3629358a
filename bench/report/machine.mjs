import { readFileSync } from 'node:fs'
import { cpus, loadavg, release, type } from 'node:os'

const packages = [
  '@parley/mcp',
  '@modelcontextprotocol/sdk',
  '@modelcontextprotocol/server',
  '@modelcontextprotocol/client',
  '@modelcontextprotocol/node',
  'zod',
]

/** Where and with what the figures were taken. */
export function describeMachine() {
  return {
    date: new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    system: `${type()} ${release()}`,
    cpu: cpus()[0]?.model.trim() ?? 'unknown CPU',
    cores: cpus().length,
    load: loadavg()[0].toFixed(2),
    versions: Object.fromEntries(packages.map((name) => [name, versionOf(name)])),
  }
}

function versionOf(name) {
  const manifest = new URL(`../../node_modules/${name}/package.json`, import.meta.url)
  return JSON.parse(readFileSync(manifest, 'utf8')).version
}
