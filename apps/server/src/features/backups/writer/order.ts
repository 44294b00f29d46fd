import type { PhysicalHead } from '../../../db/archive/frames.ts'

type File = { path: string; key: string }

type NewFile = File & { id: string; console: string; now: string }

export type RowsOrder = NewFile & { work: 'rows'; connectionString: string }

export type ClusterOrder = NewFile & {
  work: 'cluster'
  dataDir: string
  /** What this one may build on. */
  chain: readonly { id: string; head: PhysicalHead }[]
}

export type ProofOrder = File & { work: 'proof'; isIncremental: boolean }

/** What the writer is there for. Keys are in base64. */
export type Order = RowsOrder | ClusterOrder | ProofOrder

/** How far it is; null: nobody knows of how much. */
export type News = { done: number; about: number | null }

/** What lies there now, and the instant of the database that is in it. */
export type Sealed = { bytes: number; sha256: string; snapshotAt: string }

/** What a backup turned out to be when it was read from its first byte to its last. */
export type Proof = { bytes: number; sha256: string; rows: number | null; summary: object }

export type AnswerTo<O extends Order> = O extends ProofOrder ? Proof : Sealed
