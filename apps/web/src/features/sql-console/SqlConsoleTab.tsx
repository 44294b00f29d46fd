import * as sqlConsole from '@agency/contract/descriptors/sql-console'
import { useDenial } from '../../lib/session.ts'
import { SqlConsole } from './SqlConsole.tsx'

/** The query console; changes are made by whoever may write. */
export function SqlConsoleTab() {
  return <SqlConsole canWrite={useDenial(sqlConsole.startWrite) === undefined} />
}
