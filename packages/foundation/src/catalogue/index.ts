export type {
  CatalogueChoice,
  CatalogueEntry,
  CatalogueFound,
  CatalogueItem,
  CataloguePlan,
  CatalogueQuestion,
  RefusedPlan,
} from './catalogue.ts'
