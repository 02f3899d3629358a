import process from 'node:process'

/**
 * Whether a path of Windows names another computer, and none that an allowed directory is on. Looking at such a path is enough
 * to send the user's name and password hash there, so it is refused by its text alone.
 */
export function isOnOtherHost(
  path: string,
  allowed: readonly string[],
  platform: NodeJS.Platform = process.platform,
): boolean {
  if (platform !== 'win32') return false
  const host = hostOf(path)
  return host !== undefined && !allowed.some((candidate) => hostOf(candidate) === host)
}

/** The host of `\\host\share`. A device path other than `\\?\UNC` may lead anywhere: it is a host of its own. */
function hostOf(path: string): string | undefined {
  const text = path.replaceAll('/', '\\').toLowerCase()
  const [isDevice] = /^\\(?:\\[.?]|\?\?)\\/.exec(text) ?? []
  if (isDevice === undefined) return /^\\\\([^\\]+)/.exec(text)?.[1]
  return /^\\(?:\\[.?]|\?\?)\\unc\\([^\\]+)/.exec(text)?.[1] ?? text
}
