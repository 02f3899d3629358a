import { protocolServers } from '../published/servers.mjs'
import { comparePublished } from './compare-published.ts'

comparePublished(protocolServers)
