import { otherServers } from '../published/servers.mjs'
import { comparePublished } from './compare-published.ts'

comparePublished(otherServers)
