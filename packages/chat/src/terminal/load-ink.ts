import type * as Ink from 'ink'

const signs = ['CI', 'CONTINUOUS_INTEGRATION']

/**
 * Loads Ink, which draws terminals. It reads the environment once, while it is loaded, and draws next to nothing when
 * that says continuous integration; but here somebody sits at a terminal, whatever the environment says.
 */
export async function loadInk(): Promise<typeof Ink> {
  const hidden = signs.map((name) => [name, process.env[name]] as const)
  for (const name of signs) delete process.env[name]
  try {
    return await import('ink')
  } finally {
    for (const [name, value] of hidden) if (value !== undefined) process.env[name] = value
  }
}
