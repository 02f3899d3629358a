import { win32 } from 'node:path'
import process from 'node:process'

import { readVariable, type Environment } from './programs.ts'

/**
 * A warning if other users of a Windows machine may be able to read what is written into a folder. Files get the rights of their
 * folder there, and only those of a user's profile are private; elsewhere than on Windows files are made private one by one.
 */
export function sharedFolderWarning(
  folder: string,
  platform: NodeJS.Platform = process.platform,
  env: Environment = process.env,
): string | undefined {
  if (platform !== 'win32') return undefined
  const profile = readVariable(env, 'USERPROFILE', platform)
  if (profile === undefined) return undefined
  const way = win32.relative(profile, folder)
  const isOutside = way === '..' || way.startsWith('..\\') || win32.isAbsolute(way)
  return isOutside
    ? `other users of this machine may be able to read ${folder}: it is not below ${profile}; restrict it with icacls, or use a folder of your profile`
    : undefined
}
