export type PagingOptions = { sizes: readonly number[]; initialSize: number }
export type PageQuery = { limit: number; starting_after: string | undefined; ending_before: string | undefined }

/** The page that an address asks for, as the server is asked for it: a link may ask for any size that the server gives. */
export function readPaging(params: URLSearchParams, { initialSize }: Pick<PagingOptions, 'initialSize'>): PageQuery {
  const wanted = Number(params.get('size'))
  const isSize = Number.isInteger(wanted) && wanted >= 1 && wanted <= 100
  return {
    limit: isSize ? wanted : initialSize,
    starting_after: params.get('after') ?? undefined,
    ending_before: params.get('before') ?? undefined,
  }
}
