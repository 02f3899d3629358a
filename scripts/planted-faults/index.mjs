/** Faults that a test has to notice, one for each requirement: what `scripts/plant.mjs` plants. A file for each area of the code. */

import { authFaults } from './auth.mjs'
import { cliFaults } from './cli.mjs'
import { examplesFaults } from './examples.mjs'
import { foundationFaults } from './foundation.mjs'
import { hostFaults } from './host.mjs'
import { inspectorPageFaults } from './inspector-page.mjs'
import { inspectorServiceFaults } from './inspector-service.mjs'
import { mcpClientFaults } from './mcp-client.mjs'
import { mcpProtocolFaults } from './mcp-protocol.mjs'
import { mcpServerFaults } from './mcp-server.mjs'
import { mcpTransportFaults } from './mcp-transport.mjs'
import { serversFaults } from './servers.mjs'

/**
 * @typedef {object} PlantedFault
 * @property {string} id the requirement that is broken
 * @property {string} file where, as a whole path: a script that moves files finds it
 * @property {string} find what stands there exactly once
 * @property {string} put what takes its place
 * @property {string} test the file with the test that must fail
 * @property {string} [title] words of its title, where it does not name the id itself
 * @property {boolean} [isBuilt] the test starts a built program or page
 */

/** @type {readonly PlantedFault[]} */
export const plantedFaults = [
  ...mcpProtocolFaults,
  ...mcpServerFaults,
  ...mcpClientFaults,
  ...mcpTransportFaults,
  ...authFaults,
  ...foundationFaults,
  ...hostFaults,
  ...inspectorServiceFaults,
  ...inspectorPageFaults,
  ...cliFaults,
  ...serversFaults,
  ...examplesFaults,
]
