#ifndef TENSORFLOW_LITE_C_VARIANTS_H_
#define TENSORFLOW_LITE_C_VARIANTS_H_

/* Variants: tensors whose data is a C++ object of the program. Included by common.h in C++. The
   data of such a tensor points to the object's VariantData. */

#include <new>
#include <utility>

/* The library destroys and clones objects through this class. */
class VariantData {
 public:
  virtual ~VariantData() = default;
  /* Returns a copy; it replaces the object at maybe_alloc, of the same class, unless that is null. */
  virtual VariantData* CloneTo(VariantData* maybe_alloc) const = 0;
};

/* Implements cloning with the copy constructor of the derived class, which passes itself. */
template <typename Derived>
class AbstractVariantData : public VariantData {
 public:
  VariantData* CloneTo(VariantData* maybe_alloc) const override {
    const Derived& source = static_cast<const Derived&>(*this);
    if (maybe_alloc == nullptr) return new Derived(source);
    if (maybe_alloc == this) return maybe_alloc;
    Derived* replaced = static_cast<Derived*>(maybe_alloc);
    replaced->~Derived();
    return new (replaced) Derived(source);
  }

 protected:
  AbstractVariantData() = default;
  AbstractVariantData(const AbstractVariantData&) = default;
  AbstractVariantData(AbstractVariantData&&) = delete;
};

/* Makes an object in a variant tensor. It replaces an object that the tensor has, of the same class. */
template <class VariantType, class... VariantArgs>
TfLiteStatus TfLiteTensorVariantRealloc(TfLiteTensor* t, VariantArgs&&... args) {
  if (t->type != kTfLiteVariant) return kTfLiteError;
  VariantType* object;
  if (t->data.data == nullptr) {
    object = new VariantType(std::forward<VariantArgs>(args)...);
  } else {
    static_cast<VariantData*>(t->data.data)->~VariantData();
    object = new (t->data.data) VariantType(std::forward<VariantArgs>(args)...);
  }
  t->data.data = static_cast<VariantData*>(object);
  t->allocation_type = kTfLiteVariantObject;
  return kTfLiteOk;
}

#endif  // TENSORFLOW_LITE_C_VARIANTS_H_
