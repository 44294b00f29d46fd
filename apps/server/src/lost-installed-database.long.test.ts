import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import {
  installedPrograms,
  type Server,
  startInstalled,
  startStandby,
  startSwitch,
} from '../test/installed-postgres.ts'
import { expectToSurvive, freeze, type RunningConsole, startConsoleOn, terminateAll } from '../test/lost-database.ts'

const adminKey = 'a-key-of-the-installed-database'
const folder = mkdtempSync(join(tmpdir(), 'agency-lost-'))

let primary: Server
let address: Awaited<ReturnType<typeof startSwitch>>
let consoles: RunningConsole[] = []
let servers: Server[] = []

async function failOver(): Promise<void> {
  const standby = await startStandby(primary, join(folder, `standby-${servers.length}`))
  servers.push(standby)
  await primary.end('SIGKILL')
  await standby.promote()
  address.to(standby)
  primary = standby
}

const losses: Record<string, () => Promise<void>> = {
  restart: async () => {
    await primary.end('SIGINT')
    await primary.start()
  },
  kill: async () => {
    await primary.end('SIGKILL')
    await primary.start()
  },
  terminate: () => terminateAll(address.connectionString),
  freeze: () => freeze(primary.pid()),
  failover: failOver,
}

// Only where the system's packages brought a PostgreSQL; the embedded one is tested everywhere.
describe.runIf(installedPrograms)('two consoles on an installed PostgreSQL', () => {
  beforeAll(async () => {
    chmodSync(folder, 0o755)
    primary = await startInstalled(join(folder, 'first'))
    servers = [primary]
    address = await startSwitch(primary)
    consoles = [await startConsoleOn(address.connectionString, adminKey, join(folder, 'one'))]
    consoles.push(await startConsoleOn(address.connectionString, adminKey, join(folder, 'two')))
  })

  afterAll(async () => {
    await Promise.all(consoles.map((one) => one.stop()))
    address?.close()
    await Promise.all(servers.map((one) => one.end('SIGQUIT')))
    rmSync(folder, { recursive: true, force: true })
  })

  test.each(Object.entries(losses))(
    'a %s under load ends no console, loses nothing that was acknowledged and does nothing twice',
    (name, lose) => expectToSurvive(name, consoles, { adminKey, connectionString: address.connectionString }, lose),
  )
})
