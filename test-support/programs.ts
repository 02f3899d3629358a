/** The programs that tests start and npm does not bring. Tests that need a missing one are skipped. */

import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { env, platform } from 'node:process'

const onPath = (env['PATH'] ?? '').split(delimiter)

/** Debian keeps PostgreSQL's programs out of the path. */
const debianPostgres = '/usr/lib/postgresql'
const postgresFolders = existsSync(debianPostgres)
  ? readdirSync(debianPostgres).map((version) => join(debianPostgres, version, 'bin'))
  : []

/** Where Chromium, Chrome and Edge are installed on each system. The shell has no windows and needs less of everything. */
const chromiumPaths: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  linux: [
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/snap/bin/chromium',
    '/usr/bin/google-chrome',
    '/usr/bin/microsoft-edge',
  ],
  darwin: [
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: [env['PROGRAMFILES'], env['PROGRAMFILES(X86)'], env['LOCALAPPDATA']].flatMap((folder) =>
    folder === undefined
      ? []
      : [
          `${folder}\\Chromium\\Application\\chrome.exe`,
          `${folder}\\Google\\Chrome\\Application\\chrome.exe`,
          `${folder}\\Microsoft\\Edge\\Application\\msedge.exe`,
        ],
  ),
}

/** The path of a program: the first of these names that a folder has. */
export function findProgram(
  names: readonly string[],
  folders: readonly string[] = onPath,
): string | undefined {
  const paths = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  return paths.find((path) => existsSync(path))
}

/** The browser that `PARLEY_CHROMIUM` names, else the first one found. */
export function findChromium(): string | undefined {
  const named = env['PARLEY_CHROMIUM']
  const paths = named === undefined ? (chromiumPaths[platform] ?? []) : [named]
  return paths.find((path) => existsSync(path))
}

/** One of the programs of PostgreSQL's server. */
export function findPostgres(name: 'initdb' | 'postgres'): string | undefined {
  return findProgram([name], [...onPath, ...postgresFolders.toReversed()])
}

/** As `findRedis` of `@parley/cluster/testing`, which is not built when a run begins. */
function findRedis(): string | undefined {
  const named = env['PARLEY_REDIS']
  if (named !== undefined) return existsSync(named) ? named : undefined
  return findProgram(['redis-server', 'valkey-server'])
}

export function findOpenssl(): string | undefined {
  return findProgram(['openssl'])
}

/** Debian keeps it where only administrators look. */
export function findNginx(): string | undefined {
  return findProgram(['nginx'], [...onPath, '/usr/sbin', '/usr/local/sbin'])
}

/** The same. */
export function findHaproxy(): string | undefined {
  return findProgram(['haproxy'], [...onPath, '/usr/sbin', '/usr/local/sbin'])
}

/** The path of each program where it is installed, and the package of Debian that has it. */
export const programs = [
  { name: 'Chromium', path: findChromium(), package: 'chromium-headless-shell' },
  { name: 'Redis', path: findRedis(), package: 'redis-server' },
  { name: 'PostgreSQL', path: findPostgres('postgres'), package: 'postgresql' },
  { name: 'openssl', path: findOpenssl(), package: 'openssl' },
  { name: 'nginx', path: findNginx(), package: 'nginx-light' },
  { name: 'HAProxy', path: findHaproxy(), package: 'haproxy' },
  { name: 'curl', path: findProgram(['curl']), package: 'curl' },
] as const
