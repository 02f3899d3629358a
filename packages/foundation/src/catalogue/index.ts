export type {
  CatalogueChoice,
  CatalogueEntry,
  CatalogueFound,
  CatalogueItem,
  CataloguePlan,
  CatalogueQuestion,
} from './catalogue.ts'
