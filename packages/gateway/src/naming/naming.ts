import { exposedToolName } from '@parley/tools'

/**
 * How clients call what servers offer. `prefix`: `server__tool`, for each. `priority`: as the server calls it, and the first
 * server in the order of the configuration has a name that several have. `manual`: as the server calls it, and a name that
 * several have is offered by none until a rule renames it.
 */
export type NamingStrategy = 'prefix' | 'priority' | 'manual'

export const namingStrategies: readonly NamingStrategy[] = ['prefix', 'priority', 'manual']

/** Matches names that a model can call; names set by a rule must match. */
export const modelSafeName = /^[A-Za-z0-9_-]{1,64}$/

/** A function of the pair alone, never of who else is there. */
export function exposedName(strategy: NamingStrategy, server: string, name: string): string {
  return strategy === 'prefix' ? exposedToolName(server, name) : name
}
