import { readFileSync } from 'node:fs'
import { client } from '../../../../server/src/db/client.ts'
import { App } from '../../app/App.tsx'
import { CustomersPage } from '../customers/CustomersPage.tsx'

// web-not-node, web-not-server, one-way-web, web-features-apart
export const page = [readFileSync, client, App, CustomersPage].length.toString()
