/** What the settings page shows, in one part of its own. */

export { Permissions } from '../right/permissions.tsx'
export { Roots } from '../right/roots.tsx'
export { PickModel } from '../welcome/pick-model.tsx'
export { Data } from './data.tsx'
export { ServersSettings } from './servers-settings.tsx'
export { Titles } from './titles.tsx'
