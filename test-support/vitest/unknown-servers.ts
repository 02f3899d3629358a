import { beforeEach } from 'vitest'

import { sharedEraMemory } from '../../packages/mcp/src/client/connection/revision-cache.ts'

// A client remembers by address which revision a server spoke. The system gives ports out again, so to a test the server
// at an address is always a new one.
beforeEach(() => sharedEraMemory.clear())
