import { badPage, badParameter, type CloudflareError } from './errors.ts'
import type { ResultInfo } from './route.ts'

export type PageLimits = { least: number; usual: number; most: number; refuse: () => CloudflareError }
export type Page = { page: number; perPage: number; offset: number }

/** What a list takes, whatever it lists. */
export const pageNames = ['page', 'per_page']

export const zonePages: PageLimits = {
  least: 5,
  usual: 20,
  most: 50,
  refuse: () => badParameter('per_page must be between 5 and 50, page at least 1'),
}
export const accountPages: PageLimits = {
  least: 5,
  usual: 20,
  most: 50,
  refuse: () => badParameter('per_page must be between 5 and 50, page at least 1'),
}
export const recordPages: PageLimits = {
  least: 1,
  usual: 100,
  most: 5000,
  refuse: () => badParameter('per_page must be between 1 and 5000, page at least 1'),
}
export const projectPages: PageLimits = { least: 1, usual: 10, most: 10, refuse: badPage }
export const deploymentPages: PageLimits = { least: 1, usual: 25, most: 25, refuse: badPage }

export function readPage(query: URLSearchParams, { least, usual, most, refuse }: PageLimits): Page {
  const page = Number(query.get('page') ?? 1)
  const perPage = Number(query.get('per_page') ?? usual)
  if (!Number.isInteger(page) || page < 1) throw refuse()
  if (!Number.isInteger(perPage) || perPage < least || perPage > most) throw refuse()
  return { page, perPage, offset: (page - 1) * perPage }
}

export const infoOf = ({ page, perPage }: Page, count: number, total: number): ResultInfo => ({
  page,
  per_page: perPage,
  count,
  total_count: total,
  total_pages: Math.ceil(total / perPage),
})
