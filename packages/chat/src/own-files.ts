import { builtPage } from '@parley/foundation/listener'

/** Where the built page is. */
export const ownPage = builtPage('chat', import.meta.url)
