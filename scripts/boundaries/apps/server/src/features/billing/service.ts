import type { Kysely } from 'kysely'
import Stripe from 'stripe'
import PgBoss from 'pg-boss'
import fastify from 'fastify'
import { findCustomers } from '../customers/queries.ts'

// sql-home (by a type alone), sdk-home, queue-home, http-home, feature-face
export const service = [Stripe, PgBoss, fastify, findCustomers]
export type Database = Kysely<unknown>
