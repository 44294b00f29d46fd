import { expect, test } from 'vitest'
import { databaseFailureOf } from './database-failure.ts'

const failure = (message: string, more: object = {}) => Object.assign(new Error(message), more)

test.each([
  ['a server that is shut down', failure('terminating connection', { code: '57P01' }), 'lost'],
  ['a server that starts', failure('the database system is starting up', { code: '57P03' }), 'lost'],
  ['a refused connection', failure('connect ECONNREFUSED', { code: 'ECONNREFUSED', syscall: 'connect' }), 'lost'],
  ['a missing socket', failure('connect ENOENT', { code: 'ENOENT', syscall: 'connect' }), 'lost'],
  ['a broken pipe', failure('write EPIPE', { code: 'EPIPE', syscall: 'write' }), 'lost'],
  [
    'several addresses in vain',
    new AggregateError([failure('', { code: 'ECONNREFUSED', syscall: 'connect' })]),
    'lost',
  ],
  ['a connection that broke off', failure('Connection terminated unexpectedly'), 'lost'],
  ['a connection used after that', failure('Client has encountered a connection error and is not queryable'), 'lost'],
  [
    'a forgotten transaction',
    failure('terminating connection due to idle-in-transaction timeout', { code: '25P03' }),
    'lost',
  ],
  ['a statement out of time', failure('canceling statement due to statement timeout', { code: '57014' }), 'slow'],
  ['a lock out of time', failure('canceling statement due to lock timeout', { code: '55P03' }), 'slow'],
  ['no free connection in time', failure('timeout exceeded when trying to connect'), 'slow'],
  ['a full disk', failure('could not extend file: No space left on device', { code: '53100' }), 'full'],
  ['a read-only server', failure('cannot execute INSERT in a read-only transaction', { code: '25006' }), 'read_only'],
  ['a deadlock', failure('deadlock detected', { code: '40P01' }), 'contended'],
  ['a missing file of ours', failure('open ENOENT', { code: 'ENOENT', syscall: 'open' }), undefined],
  ['a fault in the question', failure('syntax error', { code: '42601' }), undefined],
])('%s', (_, error, cause) => {
  expect(databaseFailureOf(error)?.cause).toBe(cause)
})
