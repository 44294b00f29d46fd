import { createHash } from 'node:crypto'
import { totalmem } from 'node:os'

export interface Settings {
  /** False only for throw-away databases of tests: faster, and lost when the machine stops. */
  durable: boolean
  maxConnections: number
}

/** The pools of the console and the sandbox keep 26 busy; ten queries, a backup, a command and a second process come on top. */
export const defaultSettings: Settings = { durable: true, maxConnections: 80 }

/** The whole configuration file. It is ours alone: rewritten at each start, never edited by ALTER SYSTEM. */
export function writeSettings({ durable, maxConnections }: Settings): string {
  const values: Record<string, string | number> = {
    max_connections: maxConnections,
    // Nothing asks for serializable transactions, and room for their locks is made for each connection.
    max_pred_locks_per_transaction: 10,
    superuser_reserved_connections: 2,
    unix_socket_permissions: '0700',
    password_encryption: 'scram-sha-256',
    // The passwords are 256 random bits: repeating the hash would slow down connections and nobody else.
    scram_iterations: 1,
    allow_alter_system: 'off',
    // Ends the queries of a console that was killed.
    client_connection_check_interval: '5s',
    ...memory,
    ...writing,
    ...planning,
    ...logging,
    ...(durable && process.platform !== 'win32' ? archiving : {}),
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', wal_level: 'minimal' }),
  }
  const lines = Object.entries(values).map(([name, value]) => `${name} = '${String(value).replaceAll("'", "''")}'`)
  const text = `${lines.join('\n')}\n`
  return `${text}agency.settings = '${hash(text)}'\n`
}

/** What a running server must answer to SHOW agency.settings to be the one that these settings describe. */
export const fingerprint = (text: string): string => /agency\.settings = '(\w+)'/.exec(text)?.[1] ?? ''

const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16)

const mib = 1024 * 1024

/**
 * An eighth of the machine's memory. With less than its indexes' busy pages a large mirror waits for the disk at every
 * row: a page that makes room is written first, and its log before it. Each further page costs some memory even while it
 * is empty, so there is an end to it.
 */
export const sharedBuffersMib = (memoryBytes: number): number =>
  Math.min(256, Math.max(64, Math.floor(memoryBytes / 8 / mib)))

/** Made for a machine that the database shares with the console: only pages in use cost memory. */
const memory = {
  shared_buffers: `${sharedBuffersMib(totalmem())}MB`,
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  temp_file_limit: '4GB',
  huge_pages: 'off',
  io_method: 'sync',
  max_worker_processes: 4,
  max_parallel_workers: 2,
  max_parallel_workers_per_gather: 1,
  max_parallel_maintenance_workers: 1,
  autovacuum_worker_slots: 2,
  autovacuum_max_workers: 2,
  // Without replication its launcher is one process less.
  max_logical_replication_workers: 0,
  max_wal_senders: 0,
  max_replication_slots: 0,
}

const writing = {
  // By itself a 32nd of the shared buffers, all of which is written to sooner or later, and so in memory for good.
  wal_buffers: '2MB',
  min_wal_size: '80MB',
  max_wal_size: '1GB',
  checkpoint_timeout: '15min',
  wal_compression: 'on',
  autovacuum_naptime: '30s',
}

/** Within the data, because its account may not be able to enter what lies above. Nothing is kept before it is made. */
export const walFolder = 'wal-archive'
/** Where a copy that is brought to a moment finds its journal. */
export const restoredWal = 'wal-restore'

/** Segments of the journal go there as they are complete, whole or not at all. The command runs in the folder of the data. */
const archiving = {
  archive_mode: 'on',
  archive_command: [
    `test ! -d ${walFolder} ||`,
    `{ dd if="%p" of="${walFolder}/%f.part" bs=1048576 conv=fsync 2> /dev/null`,
    `&& mv "${walFolder}/%f.part" "${walFolder}/%f"; }`,
  ].join(' '),
}

const planning = {
  random_page_cost: 1.1,
  effective_cache_size: '1GB',
  jit: 'off',
  track_io_timing: 'on',
  track_activity_query_size: 4096,
}

/** The console logs its own failed statements; here only what concerns the server itself. */
const logging = {
  log_destination: 'stderr',
  log_min_messages: 'log',
  log_checkpoints: 'off',
  log_autovacuum_min_duration: -1,
  log_line_prefix: '%m [%p] ',
  log_timezone: 'UTC',
  timezone: 'UTC',
  datestyle: 'iso, mdy',
  lc_messages: 'C',
  lc_monetary: 'C',
  lc_numeric: 'C',
  lc_time: 'C',
  default_text_search_config: 'pg_catalog.english',
}
